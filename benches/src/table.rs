use std::fmt;
use std::time::Duration;

/// One benchmark and the costs of the servers.
#[derive(Debug)]
pub struct Row {
    /// The name of the benchmark.
    pub name: &'static str,
    /// The costs in the order of the columns. Ratios are to the first one.
    pub costs: Vec<Option<Duration>>,
    /// The goal for our server; without a unit, a ratio to the first column.
    pub goal: &'static str,
}

/// The costs of several servers, with ratios to the first column.
#[derive(Debug)]
pub struct Table {
    /// The names of the servers.
    pub columns: Vec<&'static str>,
    /// The benchmarks.
    pub rows: Vec<Row>,
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "| benchmark | {} | goal |",
            self.columns.join(" | ")
        )?;
        writeln!(formatter, "|---|{}---|", "---:|".repeat(self.columns.len()))?;
        for row in &self.rows {
            writeln!(formatter, "{row}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "| {} |", self.name)?;
        let first = self.costs.first().copied().flatten();
        for (index, cost) in self.costs.iter().enumerate() {
            match (cost, first) {
                (None, _) => write!(formatter, " – |")?,
                (Some(cost), Some(first)) if index > 0 && !first.is_zero() => {
                    let ratio = cost.as_secs_f64() / first.as_secs_f64();
                    write!(formatter, " {} ({ratio:.2}×) |", time(*cost))?;
                }
                (Some(cost), _) => write!(formatter, " {} |", time(*cost))?,
            }
        }
        write!(formatter, " {} |", self.goal)
    }
}

fn time(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        ..100.0 => format!("{micros:.2} µs"),
        100.0..1000.0 => format!("{micros:.0} µs"),
        _ => format!("{:.2} ms", micros / 1000.0),
    }
}
