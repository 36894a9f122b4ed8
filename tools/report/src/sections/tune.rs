//! `tune`: the losses of each epoch, and those of the evaluation that played.

use maud::{Markup, html};

use super::{facts, table};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::{Begin, Epoch, Losses, TuneRow};

/// The title and the content of a section.
pub fn section(rows: &[TuneRow]) -> (String, Markup) {
    let begin = rows.iter().find_map(|row| match row {
        TuneRow::Begin(begin) => Some(begin),
        TuneRow::Epoch(_) => None,
    });
    let epochs: Vec<&Epoch> = rows
        .iter()
        .filter_map(|row| match row {
            TuneRow::Epoch(epoch) => Some(epoch),
            TuneRow::Begin(_) => None,
        })
        .collect();
    let title = begin.map_or("Tuning".to_owned(), |begin| format!("Tuning: {}", begin.game));
    let count = |of: fn(&Begin) -> u64| begin.map_or(String::new(), |begin| of(begin).to_string());
    let current = begin.map(|begin| begin.current);
    let row = |name: String, losses: Losses| {
        let Losses { value, moves, first } = losses;
        vec![name, format!("{value:.4}"), format!("{moves:.4}"), format!("{:.1} %", 100.0 * first)]
    };
    let mut lines: Vec<Vec<String>> = Vec::new();
    lines.extend(current.map(|losses| row("evaluation that played".into(), losses)));
    lines.extend(epochs.iter().map(|epoch| row(format!("epoch {}", epoch.epoch), epoch.held_out)));
    let content = html! {
        (facts("main", &[
            ("Games", count(|begin| begin.games)),
            ("Samples", count(|begin| begin.samples)),
            ("Epochs", epochs.len().to_string()),
        ]))
        div.charts {
            (chart("Loss of the value", "nats", Scale::Linear, &epochs, current, |l| l.value))
            (chart("Loss of the moves", "nats", Scale::Linear, &epochs, current, |l| l.moves))
            (chart("Best move first", "share", Scale::Percent, &epochs, current, |l| l.first))
        }
        h3 { "On games held out" }
        (table(&["", "value", "moves", "first"], &lines))
    };
    (title, content)
}

fn chart(
    title: &str,
    unit: &str,
    scale: Scale,
    epochs: &[&Epoch],
    current: Option<Losses>,
    value: fn(&Losses) -> f64,
) -> Markup {
    let line = |of: fn(&Epoch) -> &Losses| {
        Shape::Dots(epochs.iter().map(|epoch| (epoch.epoch as f64, value(of(epoch)))).collect())
    };
    let mut chart = Chart::new(title, Axis::new("epoch", Scale::Whole), Axis::new(unit, scale))
        .with("learned from", Colour::Second, line(|epoch| &epoch.learned))
        .with("held out", Colour::First, line(|epoch| &epoch.held_out));
    if let Some(current) = current {
        let level = Shape::Level(value(&current));
        chart = chart.with("evaluation that played, held out", Colour::Mark, level);
    }
    chart.figure("")
}
