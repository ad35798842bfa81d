//! Statistics of repeated measurements: means with intervals, comparisons, fits.
