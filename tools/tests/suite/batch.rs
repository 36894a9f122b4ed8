//! A match or self-play spread over machines with GNU parallel and ssh: two ssh servers on
//! loopback, with keys of their own, and workers and masters that are killed. Needs Debian's
//! `openssh-server`, `openssh-client`, `parallel` and `rsync`, so it is run when asked for:
//! `cargo test -p alesia-lab --test suite -- --ignored batch`. The tasks of a job array run here.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::lab::{self, fresh_folder, run, texts};

/// Longer than any step.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many pairs of games, and how many of them are one job.
const PAIRS: u32 = 18;
const JOB: u32 = 3;

/// Games that need some time even here, and are the same everywhere.
const MATCH: &str = "-game murus -engine name=Tree -engine name=Other option.engine=alphabeta \
                     -each nodes=300 option.memory=1MiB --seed 9 -maxmoves 12";

/// A process that ends with its owner.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program to its end, which must be good.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", texts(&output).1);
}

/// Two ssh hosts, `lab1` and `lab2`, each a separate server.
struct Hosts {
    folder: PathBuf,
    _servers: Vec<Guarded>,
}

impl Hosts {
    fn start(folder: &Path) -> Hosts {
        // Where root's servers want to drop their rights; others need none.
        let _ = fs::create_dir_all("/run/sshd");
        let path = |name: &str| folder.join(name).display().to_string();
        for key in ["host_key", "user_key"] {
            succeed(Command::new("ssh-keygen").args([
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                &path(key),
            ]));
        }
        fs::copy(path("user_key.pub"), path("authorized_keys")).unwrap();
        let mut config = String::new();
        let servers = ["lab1", "lab2"].map(|name| {
            let port = free_port();
            config += &format!("Host {name}\n  HostName 127.0.0.1\n  Port {port}\n");
            let server_config = format!(
                "ListenAddress 127.0.0.1:{port}\nHostKey {}\nAuthorizedKeysFile {}\n\
                 PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n",
                path("host_key"),
                path("authorized_keys"),
            );
            fs::write(path(name), server_config).unwrap();
            let server = Command::new("/usr/sbin/sshd")
                .args(["-D", "-f", &path(name), "-E", &path(&format!("{name}.log"))])
                .spawn()
                .expect("openssh-server is installed");
            wait_until("the server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
            Guarded(server)
        });
        config += &format!(
            "Host *\n  IdentityFile {}\n  IdentitiesOnly yes\n  BatchMode yes\n  \
             StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n",
            path("user_key"),
        );
        fs::write(path("config"), config).unwrap();
        Hosts { folder: folder.to_owned(), _servers: servers.into() }
    }

    /// A batch by its file in the hosts' folder, under a name for its players by which its
    /// processes are known.
    fn batch(&self, name: &str) -> Command {
        let words = MATCH.replace("Tree", name);
        self.batch_of(name, &format!("match = \"{words} -rounds {PAIRS}\"\npart = {JOB}\n"))
    }

    /// A batch of this work.
    fn batch_of(&self, name: &str, work: &str) -> Command {
        let lab = env!("CARGO_BIN_EXE_alesia-lab");
        let text = format!(
            "{work}hosts = [\"1/lab1\", \"1/lab2\"]\nssh = \"ssh -F {config}\"\n\
             program = \"{lab}\"\n",
            config = self.folder.join("config").display(),
        );
        let file = self.folder.join(format!("{name}.toml"));
        fs::write(&file, text).unwrap();
        let mut command = lab::command();
        command.arg("batch").arg(file).arg("--run").stdin(Stdio::null());
        // Its notes on citations would come first.
        command.env("HOME", &self.folder).env("LC_ALL", "C");
        command
    }

    /// The games of a batch so far, those that came twice once.
    fn games(&self, name: &str) -> BTreeMap<(u64, u64), serde_json::Value> {
        let text = fs::read_to_string(self.folder.join(format!("{name}.jsonl"))).unwrap();
        games(&text.replace(name, "Tree"))
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < end, "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Games by pair and leg, without the times of their moves, and so without their checksums.
fn games(lines: &str) -> BTreeMap<(u64, u64), serde_json::Value> {
    let keyed = lines.lines().map(|line| {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        for m in game["moves"].as_array_mut().unwrap() {
            m.as_object_mut().unwrap().remove("ms").unwrap();
        }
        game.as_object_mut().unwrap().remove("crc32").unwrap();
        ((game["pair"].as_u64().unwrap(), game["leg"].as_u64().unwrap()), game)
    });
    keyed.collect()
}

/// The running processes of the lab that play for a batch.
fn workers(name: &str) -> Vec<u32> {
    let own = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let entry = entry.ok()?;
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let command = fs::read(entry.path().join("cmdline")).ok()?;
        let mut words = command.split(|&byte| byte == 0);
        let is_lab = words.next()? == env!("CARGO_BIN_EXE_alesia-lab").as_bytes();
        (is_lab && words.any(|word| word == format!("name={name}").as_bytes())).then_some(pid)
    });
    own.collect()
}

fn kill(pid: u32) {
    // It may have ended meanwhile.
    let _ = Command::new("kill").args(["-9", &pid.to_string()]).stderr(Stdio::null()).status();
}

#[test]
#[ignore = "needs openssh-server and parallel"]
fn a_batch_on_two_hosts_is_a_single_run_with_workers_and_masters_killed() {
    let hosts = Hosts::start(&fresh_folder("hosts"));
    let single = run(format!("match {MATCH} --pairs 0..{PAIRS} --jsonl").split_whitespace());
    let single = games(&texts(&single).0);
    assert_eq!(single.len() as u32, 2 * PAIRS);

    // Workers are killed: their jobs are done again.
    let mut batch = Guarded(hosts.batch("Killed").spawn().unwrap());
    for _ in 0..2 {
        wait_until("a worker plays", || !workers("Killed").is_empty());
        sleep(Duration::from_millis(100));
        workers("Killed").into_iter().for_each(kill);
    }
    assert!(batch.0.wait().unwrap().success());
    assert_eq!(hosts.games("Killed"), single);

    // The master is killed, and loses data in transit: it continues where it was.
    let batch = hosts.batch("Resumed").spawn().unwrap();
    let log = hosts.folder.join("Resumed.log");
    let jobs_done = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    wait_until("some jobs are done", || jobs_done() >= 3);
    kill_tree(batch.id());
    drop(Guarded(batch));
    let some = hosts.games("Resumed").len() as u32;
    assert!(some < 2 * PAIRS, "{some}");
    wait_until("its workers have ended", || {
        workers("Resumed").into_iter().for_each(kill);
        workers("Resumed").is_empty()
    });
    succeed(&mut hosts.batch("Resumed"));
    assert_eq!(hosts.games("Resumed"), single);

    // Nothing is counted twice, wherever it came from.
    let counted = |name: &str| {
        let games = File::open(hosts.folder.join(format!("{name}.jsonl"))).unwrap();
        let output = lab::command()
            .args(["sprt", "--stdin", "--elo0=0", "--elo1=1"])
            .stdin(games)
            .output()
            .unwrap();
        let (report, said) = texts(&output);
        assert!(said.starts_with(&format!("alesia-lab: {} games read; ", 2 * PAIRS)), "{said}");
        report
    };
    assert_eq!(counted("Killed"), counted("Resumed"));
}

/// Kills a process and all that it has started.
fn kill_tree(root: u32) {
    let children = fs::read_to_string(format!("/proc/{root}/task/{root}/children"));
    kill(root);
    for child in children.unwrap_or_default().split_whitespace() {
        kill_tree(child.parse().unwrap());
    }
}

/// Self-play that needs some time even here.
const SELF_PLAY: &str = "voidrider --games 9 --nodes 20";

/// The games of the three shards of a batch, which lie in a folder.
fn shards(folder: &Path, name: &str) -> Vec<String> {
    let read = |index: u32| {
        let file = folder.join(format!("{name}.{index}of3.games"));
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    (0..3).map(read).collect()
}

/// What one process writes as the three shards.
fn expected_shards(folder: &Path) -> Vec<String> {
    for index in 0..3 {
        let data = folder.join(format!("alone.{index}of3.games"));
        let words = format!("tune {SELF_PLAY} --shard {index}/3 --data {}", data.display());
        let output = run(words.split(' '));
        assert!(output.status.success(), "{}", texts(&output).1);
    }
    shards(folder, "alone")
}

#[test]
#[cfg(unix)]
fn the_tasks_of_a_job_array_play_the_shards_and_its_last_line_fits() {
    let folder = fresh_folder("job_array");
    let program = env!("CARGO_BIN_EXE_alesia-lab");
    let text = format!("tune = \"{SELF_PLAY}\"\nshards = 3\nprogram = \"{program}\"\n");
    fs::write(folder.join("b.toml"), text).unwrap();
    let script = lab::command().args(["batch", "b.toml", "--slurm"]).current_dir(&folder).output();
    let (script, errors) = texts(&script.unwrap());
    assert!(script.contains("\n#SBATCH --array=0-2\n"), "{script}{errors}");
    let bash = |text: &str| {
        let mut command = Command::new("bash");
        command.args(["-ec", text]).current_dir(&folder);
        command
    };
    for task in ["2", "0", "1"] {
        succeed(bash(&script).env("SLURM_ARRAY_TASK_ID", task));
    }
    assert_eq!(shards(&folder, "b"), expected_shards(&folder));
    let (_, fit) = script.trim_end().rsplit_once("# When all have ended: ").unwrap();
    let fit = fit.replace("alesia-lab", program) + " --epochs 0";
    let (text, errors) = texts(&bash(&fit).output().unwrap());
    assert!(text.starts_with("9 games: ") && errors.is_empty(), "{text}{errors}");
}

#[test]
#[ignore = "needs openssh-server, parallel and rsync"]
fn self_play_on_two_hosts_has_the_games_of_a_single_process() {
    let hosts = Hosts::start(&fresh_folder("self_play_hosts"));
    let work = format!("tune = \"{SELF_PLAY}\"\nshards = 3\n");
    let output = hosts.batch_of("b", &work).output().unwrap();
    let (text, errors) = texts(&output);
    assert!(output.status.success(), "{errors}");
    let file = hosts.folder.join("b.*of3.games");
    let expected = format!(
        "all shards are played; to fit: alesia-lab train tune {SELF_PLAY} --data {}\n",
        file.display()
    );
    assert!(text.ends_with(&expected), "{text}");
    assert_eq!(shards(&hosts.folder, "b"), expected_shards(&hosts.folder));
}
