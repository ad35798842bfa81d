//! Pipeline with a slow stage: bounded channels keep the fast ones from running far ahead.
//!
//!     cargo run --release -p pgas-tasks --example pipeline -- 1000

use std::env;

use pgas_tasks::{Closed, Input, Output, bounded, create, run};

/// Images that may wait before a stage.
const AHEAD: usize = 4;
const PIXELS: usize = 1024;

type Image = Vec<f64>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let images = env::args()
        .nth(1)
        .map_or(Ok(1000), |images| images.parse())?;
    let brightness = run(mean_brightness, (images,))?;
    println!("{images} images, mean brightness {brightness:.6}");
    Ok(())
}

async fn mean_brightness(images: u32) -> f64 {
    let (read, raw) = bounded(AHEAD);
    let (smoothed, smooth) = bounded(AHEAD);
    let (normalised, mut normal) = bounded(AHEAD);
    create(reader, (images, read));
    create(smoother, (raw, smoothed));
    create(normaliser, (smooth, normalised));
    let mut sum = 0.0;
    while let Some(image) = normal.receive().await {
        sum += image.iter().sum::<f64>() / PIXELS as f64;
    }
    sum / f64::from(images)
}

async fn reader(images: u32, output: Output<Image>) -> Result<(), Closed> {
    for number in 0..images {
        let pixel = |x: usize| f64::from((number + 1).wrapping_mul(x as u32 * 37 + 11) % 256);
        output.send((0..PIXELS).map(pixel).collect()).await?;
    }
    Ok(())
}

/// The slow stage: a hundred passes over each image.
async fn smoother(mut input: Input<Image>, output: Output<Image>) -> Result<(), Closed> {
    while let Some(mut image) = input.receive().await {
        for _ in 0..100 {
            image = image
                .iter()
                .zip(image.iter().cycle().skip(1))
                .map(mean)
                .collect();
        }
        output.send(image).await?;
    }
    Ok(())
}

fn mean((left, right): (&f64, &f64)) -> f64 {
    f64::midpoint(*left, *right)
}

async fn normaliser(mut input: Input<Image>, output: Output<Image>) -> Result<(), Closed> {
    while let Some(mut image) = input.receive().await {
        let brightest = image.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        image.iter_mut().for_each(|pixel| *pixel /= brightest);
        output.send(image).await?;
    }
    Ok(())
}
