//! How long work is done: by how many threads, and asking now and then whether it is still wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use crate::codes::BLOCK;
use crate::error::{Error, Result};

/// How often the caller is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(50);

/// A thread of its own is not worth its start for fewer rows. An interpreter of the code (Miri) would
/// never get through so many.
pub const FEWEST_ROWS: usize = if cfg!(miri) { BLOCK } else { 1 << 16 };

/// The threads that share a piece of work, and the caller's wish to see it done.
///
/// Threads are started for each piece of work and end with it: a pool that lives on would hang in
/// the child of a fork.
pub struct Workers<'a> {
    threads: usize,
    goes_on: &'a (dyn Fn() -> bool + Sync),
    stopped: AtomicBool,
    caller: ThreadId,
    asked: Mutex<Instant>,
}

impl Workers<'_> {
    /// One thread that nobody interrupts.
    #[must_use]
    pub fn alone() -> Workers<'static> {
        Workers::new(1, &|| true)
    }
}

impl<'a> Workers<'a> {
    /// Up to this many threads; `goes_on` is asked, from the calling thread alone, every 50 ms.
    #[must_use]
    pub fn new(threads: usize, goes_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self {
            threads,
            goes_on,
            stopped: AtomicBool::new(false),
            caller: std::thread::current().id(),
            asked: Mutex::new(Instant::now()),
        }
    }

    /// Calls back for each block of the rows from `start` to `stop`.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`] if the work is no longer wanted, or the first error of a call.
    pub fn blocks(
        &self,
        start: usize,
        stop: usize,
        mut work: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        for start in (start..stop).step_by(BLOCK) {
            self.check()?;
            work(start, stop.min(start + BLOCK))?;
        }
        Ok(())
    }

    /// Splits rows between the threads and returns what each part gave, in the order of the rows.
    /// There is at least one part, be it of no rows.
    ///
    /// # Errors
    ///
    /// The first error of a part.
    pub fn split<T: Send>(
        &self,
        rows: usize,
        work: impl Fn(usize, usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        // Parts begin where a block does.
        let blocks = rows / BLOCK;
        self.split_units(blocks, BLOCK, |start, stop| {
            work(start * BLOCK, if stop == blocks { rows } else { stop * BLOCK })
        })
    }

    /// Splits units, each of them as much work as `rows` rows, like [`Workers::split`].
    ///
    /// # Errors
    ///
    /// The first error of a part.
    pub fn split_units<T: Send>(
        &self,
        units: usize,
        rows: usize,
        work: impl Fn(usize, usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let parts = self.threads.clamp(1, (units.saturating_mul(rows) / FEWEST_ROWS).max(1));
        let bound = |part| units * part / parts;
        let part = |number| work(bound(number), bound(number + 1));
        std::thread::scope(|scope| {
            let part = &part;
            let start = |number| {
                let thread = std::thread::Builder::new();
                thread.spawn_scoped(scope, move || part(number)).map_err(|_| number)
            };
            let later: Vec<_> = (1..parts).map(start).collect();
            let first = part(0);
            self.stopped.fetch_or(first.is_err(), Ordering::Relaxed);
            // All parts are waited for, whatever the first one gave. A part for which the system had no
            // thread left is done here.
            let later: Vec<_> = later
                .into_iter()
                .map(|thread| match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|p| std::panic::resume_unwind(p)),
                    Err(number) => part(number),
                })
                .collect();
            std::iter::once(first).chain(later).collect()
        })
    }

    /// Splits cells between the threads and calls back for each block of them with its first place, the
    /// cells, and what the thread has counted so far. Returns the counts of all threads.
    ///
    /// Each `unit` of cells is in one block; most blocks have [`BLOCK`] cells, or nearly as many.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`] if the work is no longer wanted, or the first error of a call.
    pub fn write<T: Send, C: Default + Send>(
        &self,
        cells: &mut [T],
        unit: usize,
        work: impl Fn(usize, &mut [T], &mut C) -> Result<()> + Sync,
    ) -> Result<Vec<C>> {
        let size = unit.max(BLOCK / unit.max(1) * unit).max(1);
        // Each block is handed out once, to whichever thread its cells belong to.
        let blocks: Vec<_> = cells.chunks_mut(size).map(Mutex::new).collect();
        self.split_units(blocks.len(), size, |start, stop| {
            let mut counted = C::default();
            for (number, block) in (start..).zip(&blocks[start..stop]) {
                self.check()?;
                let mut block = block.lock().unwrap_or_else(PoisonError::into_inner);
                work(number * size, &mut block, &mut counted)?;
            }
            Ok(counted)
        })
    }

    fn check(&self) -> Result<()> {
        let mut stopped = self.stopped.load(Ordering::Relaxed);
        if !stopped && std::thread::current().id() == self.caller {
            // No other thread holds the lock, and none can have panicked with it.
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            if asked.elapsed() > PATIENCE {
                stopped = !(self.goes_on)();
                *asked = Instant::now();
                self.stopped.fetch_or(stopped, Ordering::Relaxed);
            }
        }
        if stopped { Err(Error::Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_rows_in_order() {
        for threads in [1, 2, 3, 7] {
            for rows in [0, 1, BLOCK, FEWEST_ROWS - 1, FEWEST_ROWS * 2 + 1, FEWEST_ROWS * 5 + 77] {
                let parts = Workers::new(threads, &|| true).split(rows, |start, stop| {
                    assert!(start.is_multiple_of(BLOCK));
                    Ok((start, stop))
                });
                let parts = parts.expect("no part fails");
                assert_eq!(parts[0].0, 0);
                assert_eq!(parts[parts.len() - 1].1, rows);
                assert!(parts.windows(2).all(|two| two[0].1 == two[1].0), "{parts:?}");
                assert!(parts.len() <= threads && parts.len() <= (rows / FEWEST_ROWS).max(1));
            }
        }
    }

    #[test]
    fn work_that_is_no_longer_wanted_ends() {
        let workers = Workers::new(2, &|| false);
        let work = |start, stop| {
            workers.blocks(start, stop, |_, _| {
                std::thread::sleep(Duration::from_millis(5));
                Ok(())
            })
        };
        let rows = FEWEST_ROWS * 1000;
        assert_eq!(workers.split(rows, work).map(|_| ()), Err(Error::Interrupted));
    }
}
