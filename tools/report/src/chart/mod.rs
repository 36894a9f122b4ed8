//! Charts as SVG, drawn by `plotters`.
//!
//! The one idea: the library draws with the colours of the light page, as attributes of the shapes.
//! The page's style finds shapes by these attributes and gives them the colours of the dark page
//! and the dashes of each series (`page.css`). The names of series stand beside the chart as text.

pub mod axis;

use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::Ranged;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::SVGBackend;
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle, WHITE};

use self::axis::{Axis, Coordinate, LIMIT};

/// Width and height, in units of the drawing: about twice the pixels, as places are whole numbers.
const SIZE: (u32, u32) = (760, 470);

/// Heights of text, and widths of lines and gaps, in the same units.
const TEXT: u32 = 32;
const LINE: u32 = 4;
const MARGIN: u32 = 14;
const LABELS_BELOW: u32 = 90;
const LABELS_LEFT: u32 = 122;
const POINT: u32 = 6;

/// Height of a title in a picture of several charts.
const TITLE: u32 = 60;

/// Colours of what is not data: lines of the grid, axes, words, and marks such as a deadline.
const GRID: RGBColor = RGBColor(0xdc, 0xd5, 0xc6);
const AXIS: RGBColor = RGBColor(0x8f, 0x84, 0x70);
const WORDS: RGBColor = RGBColor(0x62, 0x5b, 0x4e);

/// Colours that people with any kind of colour vision tell apart (M. Okabe and K. Ito, "Color
/// Universal Design", 2008), darkened for a light page where needed. Each has its own dash too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Blue, drawn through.
    First,
    /// Vermilion, dashed.
    Second,
    /// Green, dotted.
    Third,
    /// Purple, dashes and dots.
    Fourth,
    /// Grey, dashed: what is ideal, due or a limit.
    Mark,
}

impl Colour {
    /// The colour of the series with this number, again from the first after the last.
    pub fn of(number: usize) -> Colour {
        [Colour::First, Colour::Second, Colour::Third, Colour::Fourth][number % 4]
    }

    /// On the light page; `page.css` has it again.
    fn rgb(self) -> RGBColor {
        match self {
            Colour::First => RGBColor(0x00, 0x72, 0xb2),
            Colour::Second => RGBColor(0xc8, 0x50, 0x00),
            Colour::Third => RGBColor(0x00, 0x80, 0x60),
            Colour::Fourth => RGBColor(0x9a, 0x4a, 0x8c),
            Colour::Mark => RGBColor(0x5b, 0x54, 0x48),
        }
    }
}

/// How a series is drawn.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// Points.
    Points(Vec<(f64, f64)>),
    /// A line through points, with a dot at each.
    Dots(Vec<(f64, f64)>),
    /// An area between a lower and an upper value at each place: (x, lower, upper).
    Band(Vec<(f64, f64, f64)>),
    /// Bars from zero: (from, to, height).
    Bars(Vec<(f64, f64, f64)>),
    /// Values with the ends of their errors: (x, value, lower, upper).
    Errors(Vec<(f64, f64, f64, f64)>),
    /// A vertical line.
    At(f64),
    /// A horizontal line.
    Level(f64),
}

/// One quantity of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend; without one it is not in it.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// Its shape.
    pub shape: Shape,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn, the first below the others.
    pub series: Vec<Series>,
}

type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Coordinate, Coordinate>>;
type DrawResult = Result<(), DrawingAreaErrorKind<std::io::Error>>;

impl Chart {
    /// A chart without series yet.
    pub fn new(title: &str, x: Axis, y: Axis) -> Chart {
        Chart { title: title.to_owned(), x, y, series: Vec::new() }
    }

    /// Adds a series.
    pub fn with(mut self, name: &str, colour: Colour, shape: Shape) -> Chart {
        self.series.push(Series { name: name.to_owned(), colour, shape });
        self
    }

    /// The chart with its title, legend and words about it.
    pub fn figure(&self, words: &str) -> Markup {
        html! {
            figure {
                figcaption { (self.title) }
                (self.legend())
                (PreEscaped(self.svg()))
                @if !words.is_empty() { p.note { (words) } }
            }
        }
    }

    /// Names of the series, where there is more than one or one that needs words.
    fn legend(&self) -> Markup {
        let named: Vec<&Series> = self.series.iter().filter(|s| !s.name.is_empty()).collect();
        html! {
            @if !named.is_empty() {
                ul.legend {
                    @for series in named {
                        li { (PreEscaped(series.swatch())) (series.name) }
                    }
                }
            }
        }
    }

    /// The drawing alone.
    pub fn svg(&self) -> String {
        drawing(&self.title, SIZE, |root| self.draw(root))
    }

    fn draw(&self, root: &DrawingArea<SVGBackend, Shift>) -> DrawResult {
        let has_bars = self.series.iter().any(|series| matches!(series.shape, Shape::Bars(_)));
        let places = self.series.iter().flat_map(|series| series.shape.places());
        let x = self.x.coordinate(places, false);
        let heights = self.series.iter().flat_map(|series| series.shape.heights());
        let y = self.y.coordinate(heights, has_bars);
        let mut plot = ChartBuilder::on(root)
            .margin(MARGIN)
            .margin_right(3 * MARGIN)
            .x_label_area_size(LABELS_BELOW)
            .y_label_area_size(LABELS_LEFT)
            .build_cartesian_2d(x, y)?;
        plot.configure_mesh()
            .bold_line_style(GRID.stroke_width(1))
            .light_line_style(plotters::style::TRANSPARENT)
            .axis_style(AXIS.stroke_width(2))
            .label_style(words(&WORDS))
            .axis_desc_style(words(&WORDS))
            .x_desc(self.x.name.as_str())
            .y_desc(self.y.name.as_str())
            .draw()?;
        for series in &self.series {
            series.draw(&mut plot, (x.range(), y.range()))?;
        }
        Ok(())
    }
}

/// A drawing of a size, with its title for those who do not see it.
fn drawing(
    title: &str,
    (width, height): (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend, Shift>) -> DrawResult,
) -> String {
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
    // Writing to a string cannot fail.
    let drawn = draw(&root).and_then(|()| root.present());
    debug_assert!(drawn.is_ok(), "{drawn:?}");
    drop(root);
    let label = maud::Render::render(title).into_string();
    let sized = format!("width=\"{width}\" height=\"{height}\" ");
    text.replacen(&sized, &format!("role=\"img\" aria-label=\"{label}\" "), 1)
}

/// Rows of charts as one picture that needs no page: on white, each chart below its title, the
/// names of the last chart's series at the foot.
pub fn picture(title: &str, rows: &[&[Chart]]) -> String {
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let grid = (SIZE.0 * columns as u32, (SIZE.1 + TITLE) * rows.len() as u32);
    drawing(title, (grid.0, grid.1 + TITLE), |root| {
        root.fill(&WHITE)?;
        let (charts, foot) = root.split_vertically(grid.1);
        let areas = charts.split_evenly((rows.len(), columns));
        for (row, areas) in rows.iter().zip(areas.chunks(columns)) {
            for (chart, area) in row.iter().zip(areas) {
                chart.draw(&area.titled(&chart.title, words(&WORDS))?)?;
            }
        }
        let last = rows.last().and_then(|row| row.last());
        let named = last.into_iter().flat_map(|chart| &chart.series);
        let mut left = LABELS_LEFT as i32;
        for Series { name, colour, .. } in named.filter(|series| !series.name.is_empty()) {
            let middle = (TEXT / 2) as i32;
            foot.draw(&Circle::new((left, middle), POINT + 2, colour.rgb().filled()))?;
            foot.draw_text(name, &words(&colour.rgb()), (left + middle, 0))?;
            left += SIZE.0 as i32 / 2;
        }
        Ok(())
    })
}

/// The style of text.
fn words(colour: &RGBColor) -> TextStyle<'_> {
    TextStyle::from(("sans-serif", TEXT).into_font()).color(colour)
}

impl Series {
    fn draw(&self, plot: &mut Plot, (x, y): (Range<f64>, Range<f64>)) -> DrawResult {
        let colour = self.colour.rgb();
        let line = colour.stroke_width(LINE);
        let fill = ShapeStyle { color: colour.mix(0.25), filled: true, stroke_width: 0 };
        let is_drawn = |values: &[f64]| values.iter().all(|value| value.abs() <= LIMIT);
        match &self.shape {
            Shape::Line(points) | Shape::Dots(points) | Shape::Points(points) => {
                let points = points.iter().copied().filter(|&(x, y)| is_drawn(&[x, y]));
                let points: Vec<(f64, f64)> = points.collect();
                let dots = points.clone();
                if !matches!(self.shape, Shape::Points(_)) && points.len() > 1 {
                    plot.draw_series([PathElement::new(points, line)])?;
                }
                if !matches!(self.shape, Shape::Line(_)) || dots.len() == 1 {
                    let dot = |at| Circle::new(at, POINT, colour.filled());
                    plot.draw_series(dots.into_iter().map(dot))?;
                }
            }
            Shape::Band(places) => {
                let places = places.iter().filter(|&&(x, low, high)| is_drawn(&[x, low, high]));
                let below = places.clone().map(|&(x, low, _)| (x, low));
                let above = places.rev().map(|&(x, _, high)| (x, high));
                let edge: Vec<(f64, f64)> = below.chain(above).collect();
                if !edge.is_empty() {
                    plot.draw_series([Polygon::new(edge, fill)])?;
                }
            }
            Shape::Bars(bars) => {
                let bars = bars.iter().filter(|&&(from, to, height)| is_drawn(&[from, to, height]));
                let bar = |&(from, to, height): &(f64, f64, f64)| {
                    Rectangle::new([(from, 0.0), (to, height)], colour.mix(0.8).filled())
                };
                plot.draw_series(bars.map(bar))?;
            }
            Shape::Errors(values) => {
                for &(x, value, low, high) in values {
                    if is_drawn(&[x, value, low, high]) {
                        plot.draw_series([PathElement::new([(x, low), (x, high)], line)])?;
                        plot.draw_series([Circle::new((x, value), POINT + 2, colour.filled())])?;
                    }
                }
            }
            Shape::At(place) => {
                plot.draw_series([PathElement::new([(*place, y.start), (*place, y.end)], line)])?;
            }
            Shape::Level(level) => {
                plot.draw_series([PathElement::new([(x.start, *level), (x.end, *level)], line)])?;
            }
        }
        Ok(())
    }

    /// A piece of the series, for the legend.
    fn swatch(&self) -> String {
        let RGBColor(red, green, blue) = self.colour.rgb();
        let colour = format!("#{red:02X}{green:02X}{blue:02X}");
        let inner = match self.shape {
            Shape::Points(_) | Shape::Errors(_) => {
                format!(r#"<circle cx="24" cy="8" r="{POINT}" fill="{colour}"/>"#)
            }
            Shape::Band(_) => {
                format!(r#"<rect width="48" height="16" opacity="0.25" fill="{colour}"/>"#)
            }
            Shape::Bars(_) => format!(r#"<rect width="48" height="16" fill="{colour}"/>"#),
            _ => format!(
                r#"<polyline fill="none" stroke="{colour}" stroke-width="{LINE}" points="0,8 48,8"/>"#
            ),
        };
        format!(r#"<svg class="swatch" viewBox="0 0 48 16" aria-hidden="true">{inner}</svg>"#)
    }
}

impl Shape {
    /// Where it is from left to right.
    fn places(&self) -> Vec<f64> {
        match self {
            Shape::Line(points) | Shape::Points(points) | Shape::Dots(points) => {
                points.iter().map(|point| point.0).collect()
            }
            Shape::Band(places) => places.iter().map(|place| place.0).collect(),
            Shape::Bars(bars) => bars.iter().flat_map(|bar| [bar.0, bar.1]).collect(),
            Shape::Errors(values) => values.iter().map(|value| value.0).collect(),
            Shape::At(place) => vec![*place],
            Shape::Level(_) => Vec::new(),
        }
    }

    /// How high it is.
    fn heights(&self) -> Vec<f64> {
        match self {
            Shape::Line(points) | Shape::Points(points) | Shape::Dots(points) => {
                points.iter().map(|point| point.1).collect()
            }
            Shape::Band(places) => places.iter().flat_map(|place| [place.1, place.2]).collect(),
            Shape::Bars(bars) => bars.iter().map(|bar| bar.2).collect(),
            Shape::Errors(values) => values.iter().flat_map(|v| [v.1, v.2, v.3]).collect(),
            Shape::At(_) => Vec::new(),
            Shape::Level(level) => vec![*level],
        }
    }
}
