//! Measurements that are compared with one another on a shared machine.
//!
//! The one idea: every case is measured once per round, so that other load of the machine affects
//! all of them; the median of the rounds of a case counts.

/// Measures `cases` cases in `rounds` rounds: for each the measurement with the median `value`.
///
/// # Errors
/// The first of a measurement.
pub fn medians<T, E>(
    cases: usize,
    rounds: usize,
    value: impl Fn(&T) -> f64,
    mut measure: impl FnMut(usize) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let mut samples: Vec<Vec<T>> = (0..cases).map(|_| Vec::new()).collect();
    for _ in 0..rounds {
        for (case, samples) in samples.iter_mut().enumerate() {
            samples.push(measure(case)?);
        }
    }
    let median = |mut samples: Vec<T>| {
        samples.sort_by(|a, b| value(a).total_cmp(&value(b)));
        samples.swap_remove(samples.len() / 2)
    };
    Ok(samples.into_iter().map(median).collect())
}

/// The numbers of threads or trees that are worth measuring: the powers of two below the most, and
/// the most.
pub fn doubled(most: usize) -> impl Iterator<Item = usize> {
    let powers = std::iter::successors(Some(1), |&power: &usize| power.checked_mul(2));
    powers.take_while(move |&power| power < most).chain([most])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_doubled_up_to_the_most() {
        for (most, expected) in
            [(1, &[1][..]), (2, &[1, 2]), (6, &[1, 2, 4, 6]), (8, &[1, 2, 4, 8])]
        {
            assert_eq!(doubled(most).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn each_case_has_its_median_and_meets_every_round() {
        let mut order = Vec::new();
        let found = medians(
            2,
            3,
            |&value: &f64| value,
            |case| {
                order.push(case);
                let round = order.len().div_ceil(2);
                Ok::<_, ()>([[0.0, 9.0, 1.0, 5.0], [0.0, 2.0, 8.0, 3.0]][case][round])
            },
        );
        assert_eq!(found, Ok(vec![5.0, 3.0]));
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        assert_eq!(medians(1, 1, |&value: &f64| value, |_| Err("fails")), Err("fails"));
    }
}
