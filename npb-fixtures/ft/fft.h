/*
 * Fourier transforms of many lines of one length, a power of two: Stockham's algorithm with radix two, which needs no
 * reordering at its end. LINES lines are transformed at a time, interleaved, so that the inner loop runs over
 * neighbours in memory whatever the direction of the lines is.
 */
#ifndef FT_FFT_H
#define FT_FFT_H

#include <math.h>
#include <stddef.h>

#define LINES 16
#define LONGEST_LINE 512

typedef struct {
    double re, im;
} complex_t;

/* exp(2 pi i k / LONGEST_LINE); shorter lines use every second, fourth, ... of them. */
static complex_t roots[LONGEST_LINE];

static void make_roots(void)
{
    const double pi = 3.14159265358979323846;
    int k;

    for (k = 0; k < LONGEST_LINE; k++) {
        roots[k].re = cos(2 * pi * k / LONGEST_LINE);
        roots[k].im = sin(2 * pi * k / LONGEST_LINE);
    }
}

/*
 * Transforms LINES lines of `length` elements without scaling: the exponent's sign is `sign`, 1 or -1. Element i of
 * line l is at data[i * stride + l * distance].
 */
static void fft_lines(complex_t *data, int length, size_t stride, size_t distance, int sign)
{
    static complex_t buffers[2][LONGEST_LINE * LINES];
    complex_t *from = buffers[0], *to = buffers[1], *swap;
    int part, i, l, k, width = LINES; /* part: length of what is still to be transformed */

    for (i = 0; i < length; i++)
        for (l = 0; l < LINES; l++)
            from[i * LINES + l] = data[i * stride + l * distance];

    for (part = length; part > 1; part /= 2) {
        int half = part / 2;

        for (i = 0; i < half; i++) {
            const complex_t *restrict a = from + i * width, *restrict b = from + (i + half) * width;
            complex_t *restrict even = to + 2 * i * width, *restrict odd = to + (2 * i + 1) * width;
            double re = roots[i * (LONGEST_LINE / part)].re, im = sign * roots[i * (LONGEST_LINE / part)].im;

            for (k = 0; k < width; k++) {
                double difference_re = a[k].re - b[k].re, difference_im = a[k].im - b[k].im;

                even[k].re = a[k].re + b[k].re;
                even[k].im = a[k].im + b[k].im;
                odd[k].re = re * difference_re - im * difference_im;
                odd[k].im = re * difference_im + im * difference_re;
            }
        }
        width *= 2;
        swap = from;
        from = to;
        to = swap;
    }

    for (i = 0; i < length; i++)
        for (l = 0; l < LINES; l++)
            data[i * stride + l * distance] = from[i * LINES + l];
}

#endif
