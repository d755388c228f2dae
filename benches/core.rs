//! Times the core on a million rows: `cargo bench --bench core`.

mod workloads;

use divan::Bencher;
use divan::counter::ItemsCount;
use workloads::{NAMES, Workload};

const ROWS: usize = 1_000_000;

fn main() {
    divan::main();
}

#[divan::bench(args = NAMES)]
fn rows(bencher: Bencher, name: &str) {
    let workload = Workload::new(ROWS);
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| workload.run(name));
}
