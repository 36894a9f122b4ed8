//! `alesia-lab train odds` as users and scripts see it.

use crate::lab::{run, texts};

#[test]
fn each_time_has_a_line_with_a_factor_or_a_bound() {
    let words = "odds hadron4 --times 4,2 --longest 8 --pairs 3 --memory 1MiB";
    let output = run(words.split(' '));
    let (text, progress) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{progress}");
    let lines: Vec<&str> = text.lines().collect();
    let [work @ .., first, second] = &lines[..] else { panic!("{text}") };
    for (line, time) in [(first, 4), (second, 2)] {
        let (even, points) = line.split_once(&format!(" with {time} ms a move: ")).expect(line);
        let (word, rest) = even.split_once(" 1/").expect(line);
        assert!(["even at", "even below", "even above"].contains(&word), "{line}");
        let (factor, interval) = rest.split_once(" of its time (").expect(line);
        let factor: f64 = factor.parse().expect(line);
        assert!((1.0..=8.0 / f64::from(time)).contains(&factor), "{line}");
        assert!(interval.ends_with(')') && interval.contains(" to "), "{line}");
        let points: f64 = points.strip_suffix(" of 6 points").expect(line).parse().expect(line);
        assert!((0.0..=6.0).contains(&points), "{line}");
    }
    assert_eq!(work.len(), 2, "{text}");
    for line in work {
        let speed = line.rsplit(' ').nth(3).expect(line);
        assert!(speed.parse::<u64>().expect(line) > 0, "{line}");
    }
    assert!(progress.contains("Pairs: 3/3, 2 ms against 2 × "), "{progress}");
}

#[test]
fn unusable_arguments_are_refused_in_one_line() {
    for (words, expected) in [
        ("odds variant:chess", "game: found `variant:chess`, expected one of the four games"),
        ("odds voidrider:thery", "game: found `voidrider:thery`, expected one of the four games"),
        ("odds murus --times 10,2000", "--times: found 2000, expected at most --longest, 1000 ms"),
        ("odds murus --times 0", "0"),
        ("odds murus --pairs 0", "0"),
    ] {
        let output = run(words.split(' '));
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), text.as_str()), (Some(2), ""), "{words}");
        assert!(errors.starts_with("alesia-lab: ") && errors.contains(expected), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}
