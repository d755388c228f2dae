//! Runs one piece of work a number of times, for a tool that counts instructions:
//! `instructions NAME ROWS TIMES`. With TIMES 0 it only makes the columns, so the difference between
//! two counts is the work alone.

#![allow(clippy::expect_used, reason = "a bench ends where its arguments are wrong")]

mod workloads;

use workloads::Workload;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, rows, times] = &arguments[..] else {
        // `cargo bench` without arguments: show that everything runs.
        let workload = Workload::new(1000);
        workloads::NAMES.iter().for_each(|name| workload.run(name));
        return;
    };
    let workload = Workload::new(rows.parse().expect("ROWS is a number"));
    (0..times.parse().expect("TIMES is a number")).for_each(|_: u32| workload.run(name));
}
