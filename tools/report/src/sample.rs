//! Samples of a quantity: quantiles, distributions, numbers in words.

/// Values in rising order; what is no number is left out.
#[derive(Clone, Debug, Default)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Of values in any order.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Sample {
        let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        Sample(values)
    }

    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The value that a share of all values, 0 to 1, do not exceed, by nearest rank; none of none.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let rank = (share * self.0.len() as f64 - 1e-9).ceil().max(1.0) as usize;
        self.0.get(rank - 1).or(self.0.last()).copied()
    }

    /// Mean, and half the width of its 95 % confidence interval by the normal distribution; none of
    /// fewer than two values.
    pub fn mean(&self) -> Option<(f64, f64)> {
        let count = self.0.len() as f64;
        if self.0.len() < 2 {
            return None;
        }
        let mean = self.0.iter().sum::<f64>() / count;
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        Some((mean, 1.96 * (squares / (count - 1.0) / count).sqrt()))
    }

    /// The curve of quantiles over `-log10(1 - share)`: the median at 0.3, a thousandth at 3. Every
    /// value has its share, to at most `most` points.
    pub fn tail(&self, most: usize) -> Vec<(f64, f64)> {
        let count = self.0.len();
        let nines = |rank: usize| ((count + 1) as f64 / (count + 1 - rank) as f64).log10();
        let end = nines(count);
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (rank, &value) in (1..).zip(&self.0) {
            let x = nines(rank);
            // The last one always counts: it is the slowest of all.
            let step = end / most as f64;
            if points.last().is_none_or(|last| x - last.0 >= step) || rank == count {
                points.push((x, value));
            }
        }
        points
    }

    /// Values below each of at most `most` points, as shares, from 0 to 1.
    pub fn cumulative(&self, most: usize) -> Vec<(f64, f64)> {
        let count = self.0.len();
        let stride = count.div_ceil(most).max(1);
        let ranks = (1..=count).step_by(stride).chain((count > 0).then_some(count));
        ranks.map(|rank| (self.0[rank - 1], rank as f64 / count as f64)).collect()
    }
}

/// At most `most` of some points, the first and the last among them.
pub fn thinned<T: Copy>(points: &[T], most: usize) -> Vec<T> {
    let stride = points.len().div_ceil(most).max(1);
    let mut kept: Vec<T> = points.iter().copied().step_by(stride).collect();
    if !points.is_empty() && !(points.len() - 1).is_multiple_of(stride) {
        kept.extend(points.last());
    }
    kept
}

/// A number with three digits or so, as `0.25`, `12.5`, `850`, `1.2 M`; `-` where there is none.
pub fn short(value: f64) -> String {
    let size = value.abs();
    let (value, unit) = match size {
        _ if !value.is_finite() => return "-".to_owned(),
        _ if size >= 1e15 => return format!("{value:.2e}"),
        _ if size >= 1e9 => (value / 1e9, " G"),
        _ if size >= 1e6 => (value / 1e6, " M"),
        _ if size >= 1e4 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let decimals = match value.abs() {
        0.0 => 0,
        size if size < 0.1 => 3,
        size if size < 10.0 => 2,
        size if size < 100.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    let text = if text == "-0" { "0" } else { text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_by_nearest_rank() {
        let sample = Sample::of((1..=2000).rev().map(f64::from));
        let found = [0.5, 0.99, 0.999, 1.0].map(|share| sample.quantile(share).unwrap());
        assert_eq!(found, [1000.0, 1980.0, 1998.0, 2000.0]);
        assert_eq!(Sample::of([7.0]).quantile(0.0), Some(7.0));
        assert_eq!(Sample::default().quantile(0.5), None);
        assert_eq!(Sample::of([f64::NAN, 1.0]).values(), [1.0]);
    }

    #[test]
    fn a_tail_ends_with_the_slowest_and_is_not_longer_than_wanted() {
        let sample = Sample::of((0..100_000).map(f64::from));
        let tail = sample.tail(50);
        assert!(tail.len() <= 52, "{}", tail.len());
        assert_eq!(tail.last().unwrap().1, 99_999.0);
        let median = tail.iter().find(|(nines, _)| *nines >= 0.301).unwrap();
        assert!((49_000.0..61_000.0).contains(&median.1), "{median:?}");
        assert!(Sample::default().tail(9).is_empty());
    }

    #[test]
    fn shares_rise_to_one() {
        let curve = Sample::of((0..1000).map(f64::from)).cumulative(100);
        assert_eq!(curve.last(), Some(&(999.0, 1.0)));
        assert!(curve.len() <= 101 && curve.windows(2).all(|two| two[0].1 <= two[1].1));
        assert!(Sample::default().cumulative(100).is_empty());
        let (mean, error) = Sample::of([0.0, 1.0, 0.0, 1.0]).mean().unwrap();
        assert!((mean - 0.5).abs() < 1e-9 && (error - 1.96 * (1.0_f64 / 12.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn points_are_thinned_with_both_ends() {
        let points: Vec<u32> = (0..1000).collect();
        let kept = thinned(&points, 100);
        assert_eq!((kept[0], kept[1], *kept.last().unwrap(), kept.len()), (0, 10, 999, 101));
        assert_eq!(thinned(&points[..3], 100), [0, 1, 2]);
        assert!(thinned::<u32>(&[], 100).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        for (value, expected) in [
            (0.0, "0"),
            (0.05, "0.05"),
            (0.25, "0.25"),
            (-12.5, "-12.5"),
            (850.0, "850"),
            (9999.0, "9999"),
            (12_340.0, "12.3 k"),
            (1_200_000.0, "1.2 M"),
            (f64::NAN, "-"),
            (1e300, "1.00e300"),
            (-0.0001, "0"),
        ] {
            assert_eq!(short(value), expected, "{value}");
        }
    }
}
