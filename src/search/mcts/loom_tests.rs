//! The tree's lock-free code in every order of steps that the memory model allows, stale reads
//! included, as far as loom (Norris and Demsky 2013) knows it:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release --lib --target-dir target/loom loom_tests
//! ```
//!
//! The one idea: the real nodes, trees and workers run here, on a few nodes; only their atomics are
//! loom's. `tools/checks/planted-bugs.sh` tests the checks: it breaks a copy of the code and
//! requires that they fail.
//!
//! Where every order would take too long, a model has a limit of preemptions (a thread is
//! interrupted in the middle of its work for another); all stale reads are still tried. With a
//! limit of zero, the threads run one after the other, and only stale reads are tried.
//!
//! Without loom the same models run a few times in real time, which tests little; but Miri checks
//! these runs (`tools/checks/run.sh`).

mod copies;
mod nim;
mod trees;

use std::sync::Arc;

use super::node::Node;
use super::proof::Bounds;
use super::stats::{MAX_VISITS, REWARD_OF_WIN, Stats, VIRTUAL_LOSS};
use super::sync::thread;
use super::transpositions::{Key, Slot, Transpositions};
use super::tree::Tree;
use crate::game::{MAX_MOVES, Move};
use crate::search::report::Proof;

/// Runs a model in every order of steps, or in all with this many preemptions, and prints their
/// number.
#[cfg(loom)]
fn explore(name: &str, preemptions: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    use std::sync::atomic::{AtomicU64, Ordering};

    let orders = Arc::new(AtomicU64::new(0));
    let counted = orders.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.max_branches = 20_000;
    let model = Arc::new(model);
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let model = model.clone();
        // On a thread of our own, as loom's first one has too small a stack.
        spawn(move || model()).join().unwrap();
    });
    eprintln!("{name}: {} orders", orders.load(Ordering::Relaxed));
}

/// Runs a model some times as it comes.
#[cfg(not(loom))]
fn explore(_: &str, _: Option<usize>, model: impl Fn()) {
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        model();
    }
}

/// In words for loom's threads, in bytes for the system's: what is not optimised takes more than
/// loom's 4096 words.
const STACK: usize = if cfg!(loom) { 1 << 15 } else { 1 << 20 };

/// Starts a thread whose stack has room for code that is not optimised.
fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> thread::JoinHandle<T> {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap()
}

fn join<T>(threads: impl IntoIterator<Item = thread::JoinHandle<T>>) -> Vec<T> {
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

/// The moves of the children that the models make by hand, and their priors.
const CHILDREN: [(u16, f32); 2] = [(1, 0.75), (2, 0.25)];

/// Three nodes, of which the first is a leaf and the others are full of what they were before.
fn leaf() -> Arc<[Node; 3]> {
    let nodes: [Node; 3] = Default::default();
    for node in &nodes[1..] {
        node.add_iterations::<true>(9, 99);
        node.tighten(Bounds::win(9));
    }
    Arc::new(nodes)
}

/// Makes the children if this thread may; returns whether it might.
fn try_to_make_children(nodes: &[Node; 3]) -> bool {
    let claimed = nodes[0].claim();
    if claimed {
        for (child, (code, prior)) in nodes[1..].iter().zip(CHILDREN) {
            child.reset(Some(Move::from_code(code)), prior);
        }
        nodes[0].publish(1, 2, 2);
    }
    claimed
}

/// Looks at the children if they are there, with their contents.
fn look_at_children(nodes: &[Node; 3]) -> bool {
    let Some(children) = nodes[0].children(nodes) else { return false };
    assert!(children.indices().eq([1, 2]) && children.missing() == 0);
    for (child, (code, prior)) in children.nodes().zip(CHILDREN) {
        assert_eq!(child.to_here(), Some(Move::from_code(code)));
        assert_eq!(child.prior(), prior);
        assert_eq!(child.stats(), Stats::default());
        assert_eq!(child.bounds(), Bounds::UNKNOWN);
        assert!(child.children(nodes).is_none());
    }
    true
}

#[test]
fn one_thread_makes_the_children_and_all_see_them_whole() {
    explore("two makers that look", None, || {
        let nodes = leaf();
        let threads = [0, 1].map(|_| {
            let nodes = nodes.clone();
            spawn(move || {
                let claimed = try_to_make_children(&nodes);
                let seen = look_at_children(&nodes);
                assert!(seen || !claimed, "a thread sees its own work");
                claimed
            })
        });
        assert_eq!(join(threads).into_iter().filter(|&claimed| claimed).count(), 1);
        assert!(look_at_children(&nodes));
    });
    explore("two makers and a reader", None, || {
        let nodes = leaf();
        let threads = [0, 1].map(|_| {
            let nodes = nodes.clone();
            spawn(move || try_to_make_children(&nodes))
        });
        look_at_children(&nodes);
        assert_eq!(join(threads).into_iter().filter(|&claimed| claimed).count(), 1);
    });
}

#[test]
fn statistics_add_up_and_are_never_torn() {
    explore("visits and rewards of two threads", None, || {
        let node = Arc::new(Node::default());
        let one_by_one = node.clone();
        let one_by_one = spawn(move || {
            for reward in [REWARD_OF_WIN, 7] {
                one_by_one.begin::<false>(1);
                one_by_one.end::<false>(1, u64::from(REWARD_OF_WIN - reward));
            }
        });
        let many = node.clone();
        let many = spawn(move || {
            many.add_iterations::<false>(3, 3 * u64::from(REWARD_OF_WIN) - 100);
        });
        // Meanwhile a thread may see any state that another has made.
        let Stats { visits, reward } = node.stats();
        let most = [0, 1022, 1022 + 7, 100, 100 + 1022, 100 + 1022 + 7];
        assert!(
            visits <= 4 + VIRTUAL_LOSS as u32
                && most.contains(&reward)
                && reward <= u64::from(visits * 1022)
        );
        join([one_by_one, many]);
        assert_eq!(node.stats(), Stats { visits: 5, reward: 1022 + 7 + 100 });
    });
    explore("iterations of a late worker while a root gets those of its children", None, || {
        let node = Arc::new(Node::default());
        let late = node.clone();
        let late = spawn(move || {
            late.begin::<false>(20);
            late.end::<false>(20, 0);
        });
        node.raise_iterations(10, 0);
        join([late]);
        // Those under way count double, and none is ever taken away that has not begun.
        let Stats { visits, reward } = node.stats();
        assert!(visits == 20 || visits == 30, "{visits}");
        assert_eq!(reward, u64::from(visits * REWARD_OF_WIN));
    });
    explore("visits of three threads", Some(3), || {
        let node = Arc::new(Node::default());
        let threads = [0, 1].map(|_| {
            let node = node.clone();
            spawn(move || node.begin::<false>(1).visits)
        });
        let mut before = vec![node.begin::<false>(1).visits];
        before.extend(join(threads));
        before.sort_unstable();
        let each = VIRTUAL_LOSS as u32;
        assert_eq!(before, [0, each, 2 * each], "each visit counts from another");
    });
}

#[test]
fn of_threads_that_fill_a_node_one_halves_it_and_nothing_is_lost() {
    explore("a full node with iterations under way", None, || {
        let node = Arc::new(Node::default());
        node.raise_iterations(MAX_VISITS - 1, 0);
        let threads = [0, 1].map(|_| {
            let node = node.clone();
            spawn(move || {
                node.begin::<false>(1);
                let taken = node.halve(MAX_VISITS);
                node.end::<false>(1, 0);
                taken
            })
        });
        let taken = join(threads);
        assert_eq!(taken.iter().filter(|&&taken| taken > 0).count(), 1);
        let Stats { visits, reward } = node.stats();
        assert_eq!(visits + taken[0] + taken[1], MAX_VISITS + 1);
        // A loss under way that was halved is a visit less.
        assert!(reward <= u64::from(visits + 2) * u64::from(REWARD_OF_WIN));
    });
    explore("children that two workers find unhalved", None, || {
        let nodes = leaf();
        assert!(try_to_make_children(&nodes));
        nodes[0].mark_children_unhalved();
        let threads = [0, 1].map(|_| {
            let nodes = nodes.clone();
            spawn(move || {
                let children = nodes[0].children(&*nodes).expect("they are published");
                children.marked() && nodes[0].claim_halving()
            })
        });
        nodes[0].mark_as_stored();
        assert_eq!(join(threads).into_iter().filter(|&claimed| claimed).count(), 1);
        assert!(look_at_children(&nodes) && !nodes[0].has_unhalved_children());
    });
}

#[test]
fn proofs_of_two_threads_are_both_kept() {
    explore("two halves of a proof", None, || {
        let at_least_a_draw = Bounds::of_parent([Bounds::DRAWN, Bounds::UNKNOWN].into_iter());
        let at_most_a_draw = Bounds::of_parent([at_least_a_draw, Bounds::win(4)].into_iter());
        let node = Arc::new(Node::default());
        let threads = [at_least_a_draw, at_most_a_draw].map(|half| {
            let node = node.clone();
            spawn(move || assert!(node.tighten(half), "that was new"))
        });
        let seen = node.bounds();
        let later = node.bounds();
        assert_eq!(later.and(seen), later, "bounds only ever tighten");
        join(threads);
        assert_eq!(node.bounds().proof(), Some(Proof::Draw));
    });
}

#[test]
fn no_block_is_handed_out_twice() {
    /// The root's block and two more may be used, and one is left free.
    fn takes_blocks(threads: usize, each: usize) {
        let block = MAX_MOVES as u32;
        let tree = Arc::new(Tree::new(1..1 + 4 * block, 1));
        let first = tree.clear();
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                let tree = tree.clone();
                spawn(move || {
                    let blocks: Vec<_> = (0..each).filter_map(|_| tree.take_block()).collect();
                    tree.halvings();
                    blocks
                })
            })
            .collect();
        let mut blocks = join(threads).concat();
        blocks.sort_unstable_by_key(|block| block.start);
        let expected = [1, 2].map(|i| first.start + i * block..first.end + i * block);
        assert_eq!(blocks, expected);
        assert_eq!(tree.usage(), (3 * block, 3 * block));
        assert_eq!(tree.take_block(), None);
    }
    explore("blocks for two threads", None, || takes_blocks(2, 2));
    explore("blocks for three threads", Some(3), || takes_blocks(3, 1));
}

/// Makes the second child, a separate group, if this thread may, and reads both if they exist.
fn make_or_read_the_next_group(nodes: &[Node; 3]) -> bool {
    let claimed = nodes[1].claim_next();
    if claimed {
        let (code, prior) = CHILDREN[1];
        nodes[2].reset(Some(Move::from_code(code)), prior);
        nodes[1].publish_next(2);
    }
    let children = nodes[0].children(nodes).expect("the first child is there");
    assert!(!claimed || children.missing() == 0);
    for (child, (code, prior)) in children.nodes().zip(CHILDREN) {
        assert_eq!((child.to_here(), child.prior()), (Some(Move::from_code(code)), prior));
    }
    claimed
}

#[test]
fn one_thread_makes_the_next_group_and_all_see_it_whole() {
    explore("the next group of children", None, || {
        let nodes = leaf();
        let (code, prior) = CHILDREN[0];
        nodes[1].reset(Some(Move::from_code(code)), prior);
        assert!(nodes[0].claim());
        nodes[0].publish(1, 1, 2);
        let threads = (0..2).map(|_| {
            let nodes = nodes.clone();
            spawn(move || make_or_read_the_next_group(&nodes))
        });
        let claims = join(threads.collect::<Vec<_>>());
        assert_eq!(claims.into_iter().filter(|&claimed| claimed).count(), 1);
    });
}

/// Has the last of four nodes share the children of the first, if they are there, and looks at them
/// through it.
fn take_the_children(nodes: &[Node; 4]) -> bool {
    let takes = nodes[0].children(nodes).is_some() && nodes[3].claim();
    if takes {
        nodes[3].share_children_of(&nodes[0]);
    }
    if let Some(children) = nodes[3].children(nodes) {
        assert!(children.indices().eq([1, 2]) && children.missing() == 0);
        for (child, (code, prior)) in children.nodes().zip(CHILDREN) {
            assert_eq!((child.to_here(), child.prior()), (Some(Move::from_code(code)), prior));
        }
        assert!(nodes[3].shares_children());
    }
    takes
}

#[test]
fn children_of_another_node_are_seen_whole_by_all() {
    explore("children that two nodes share", Some(3), || {
        let nodes: Arc<[Node; 4]> = Arc::default();
        let maker = nodes.clone();
        let maker = spawn(move || {
            assert!(maker[0].claim());
            for (child, (code, prior)) in maker[1..].iter().zip(CHILDREN) {
                child.reset(Some(Move::from_code(code)), prior);
            }
            maker[0].publish(1, 2, 2);
        });
        let taker = nodes.clone();
        let taker = spawn(move || take_the_children(&taker));
        let takes = take_the_children(&nodes);
        join([maker]);
        let both = join([taker])[0] as usize + usize::from(takes);
        assert!(both <= 1, "only one thread gets them");
        assert_eq!(nodes[0].shares_children(), both == 1);
    });
}

#[test]
fn a_node_that_is_found_is_seen_as_it_was_stored() {
    explore("a node in the table of positions", None, || {
        let nodes = leaf();
        let slots: Arc<[Slot; 1]> = Arc::default();
        let key = Key::of_group(1, 0);
        let maker = (nodes.clone(), slots.clone());
        let maker = spawn(move || {
            let (nodes, slots) = maker;
            nodes[1].reset(None, 1.0);
            Transpositions::new(&*slots).store(key, 1);
        });
        if Transpositions::new(&*slots).find(key) == Some(1) {
            assert_eq!((nodes[1].bounds(), nodes[1].stats()), (Bounds::UNKNOWN, Stats::default()));
        }
        join([maker]);
    });
}

#[test]
fn a_slot_that_two_threads_write_holds_one_of_both_or_nothing() {
    explore("a slot of the table of positions", None, || {
        let slots: Arc<[Slot; 1]> = Arc::default();
        let keys = [1, 2].map(|first| Key::of_group(first, 0));
        let threads = [0, 1].map(|index| {
            let slots = slots.clone();
            spawn(move || Transpositions::new(&*slots).store(keys[index], 5 + index))
        });
        let found = keys.map(|key| Transpositions::new(&*slots).find(key));
        assert!([None, Some(5)].contains(&found[0]) && [None, Some(6)].contains(&found[1]));
        join(threads);
    });
}
