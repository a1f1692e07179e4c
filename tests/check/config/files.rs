//! Which configuration file is used.

use super::{plan, retval};
use crate::common::{World, feed, stderr, stdout};

#[test]
fn the_nearest_configuration_file_applies_and_paths_are_relative_to_it() {
    let world = World::new();
    world.write("retval.toml", "root = \"project\"\nstrict = true\n");
    world.write("a/b/one.json", plan(&world));
    let check = |options: &str| {
        let options = format!("check one.json {options}");
        retval(&world, "a/b", &[], &options).status.code()
    };
    assert_eq!(check(""), Some(0));
    assert_eq!(check("--no-config"), Some(1), "no artifacts below a/b");
    world.write("a/retval.toml", "");
    assert_eq!(check(""), Some(1), "the nearer one says nothing of the root");
    assert_eq!(check("--config ../../retval.toml"), Some(0));
    assert_eq!(check("--config nowhere.toml"), Some(2));
    assert_eq!(check("--config ../../retval.toml --no-config"), Some(2));
}

#[test]
fn a_file_that_everybody_may_write_to_is_ignored() {
    let world = World::new();
    world.write("open/retval.toml", "strit = true");
    world.write("open/below/one.json", plan(&world));
    let check = || retval(&world, "open/below", &[], "check one.json --root ../../project");
    assert_eq!(check().status.code(), Some(2));
    let note = "note: ../retval.toml is ignored because everyone can write to it: name it with --config to use it\n";
    for (folder, file) in [(0o777, 0o644), (0o755, 0o666)] {
        world.rights("open", folder);
        world.rights("open/retval.toml", file);
        let output = check();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output), note);
    }
}

#[test]
fn only_regular_configuration_files_are_used_and_others_are_reported() {
    let world = World::new();
    world.write("retval.toml", "session = \"another\"");
    world.write("odd/below/one.json", plan(&world));
    let odd = world.path("odd/retval.toml");
    let check = |options: &str| {
        let line = format!("check one.json --root ../../project {options}");
        retval(&world, "odd/below", &[], &line)
    };
    let make = |program: &str, arguments: &[&str]| {
        let made = std::process::Command::new(program).args(arguments).arg(&odd).status();
        assert!(made.expect("it runs").success());
    };
    for (program, arguments) in [("mkfifo", &[][..]), ("mkdir", &[]), ("ln", &["-s", "/dev/zero"])]
    {
        make(program, arguments);
        let output = check("");
        let note = "note: ../retval.toml is ignored because it is not a regular file\n";
        assert_eq!(stderr(&output), note, "{program}");
        assert_eq!(output.status.code(), Some(1), "the one above counts");
        make(if program == "mkdir" { "rmdir" } else { "rm" }, &[]);
    }
}

/// One that a person names is read, whatever it is.
#[test]
fn a_named_configuration_may_be_a_pipe_or_a_device() {
    let world = World::new();
    world.write("retval.toml", "session = \"another\"");
    world.write("one.json", plan(&world));
    let check = |config: &str| {
        let line = format!("\"$0\" check one.json --root project --config {config}");
        let retval = world.retval();
        let mut bash = std::process::Command::new("bash");
        let bash = bash.args(["-c", &line]).arg(retval.get_program());
        let folder = retval.get_current_dir().expect("a folder");
        bash.current_dir(folder).output().expect("bash runs")
    };
    let output = check("/dev/null");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = check("<(echo 'session = \"third\"')");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("Expected: third\n"));
    let output = check("<(echo 'colour = 1')");
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    let place = ":1:1: unknown key `colour`";
    assert!(error.starts_with("error: /dev/fd/") && error.contains(place), "{error}");
    for (config, error) in [
        (
            "/dev/zero",
            "error: /dev/zero is larger than 1048576 bytes, too large for a configuration\n",
        ),
        ("project", "error: cannot read project: Is a directory (os error 21)\n"),
    ] {
        let output = check(config);
        assert_eq!(stderr(&output), error);
        assert_eq!(output.status.code(), Some(2));
    }
}

/// Whoever publishes a repository writes its `retval.toml`, not whoever clones it.
#[test]
fn a_file_that_was_found_names_no_output_outside_its_folder() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let outside = world.path("outside");
    std::fs::create_dir(&outside).expect("a folder");
    world.write("cloned/inner/bad.json", "{}");
    symlink(&outside, world.path("cloned").join("link")).expect("a link");
    symlink(outside.join("new.json"), world.path("cloned").join("log.json")).expect("a link");
    let outside = outside.display();
    for (place, option) in [
        (format!("{outside}/log.json"), ""),
        ("../outside/log.json".to_owned(), ""),
        ("inner/../../outside/log.json".to_owned(), ""),
        ("none/../../outside/log.json".to_owned(), ""),
        ("link/log.json".to_owned(), ""),
        ("log.json".to_owned(), ""),
        ("link/log.json".to_owned(), "--update-baseline"),
    ] {
        let settings = match option {
            "" => &["errors-json"],
            _ => &["baseline"],
        };
        for setting in settings {
            world.write("cloned/retval.toml", format!("\n{setting} = \"{place}\"\n"));
            let check = |options: &str| {
                let line = format!("check bad.json -q {option} {options}");
                retval(&world, "cloned/inner", &[], &line)
            };
            let refused = check("");
            let at = 4 + setting.len();
            assert_eq!(
                stderr(&refused),
                format!(
                    "error: ../retval.toml:2:{at}: `{setting}` leads out of the folder of this \
                     file: only a file that --config names may do that\n"
                )
            );
            assert_eq!(refused.status.code(), Some(2), "{place}");
            let written = std::fs::read_dir(world.path("outside")).expect("a folder");
            assert_eq!(written.count(), 0, "{setting} = {place}");
            let own = check(&format!("--{setting} own"));
            assert_ne!(own.status.code(), Some(2), "{}", stderr(&own));
            std::fs::remove_file(world.path("cloned/inner/own")).ok();
            std::fs::remove_dir_all(world.path("cloned/inner/own")).ok();
        }
    }
    world.write("cloned/retval.toml", "errors-json = \"../log.json\"\n");
    let hook = {
        let payload =
            std::fs::read_to_string(crate::common::fixtures().join("hooks/claude-code-stop.json"));
        let project = world.path("cloned").display().to_string();
        let mut hook = world.retval();
        hook.arg("hook").current_dir(world.path("cloned"));
        feed(&mut hook, payload.expect("a payload").replace("{cwd}", &project))
    };
    let said = stdout(&hook);
    assert!(said.contains("`baseline`") || said.contains("leads out"), "{said}");
}

#[test]
fn a_file_that_was_found_names_outputs_in_its_folder_and_a_named_one_anywhere() {
    let world = World::new();
    world.write("cloned/inner/bad.json", "{}");
    let cloned = world.path("cloned").display().to_string();
    let check = |log: &str, options: &str| {
        world.write("cloned/retval.toml", format!("errors-json = \"{log}\"\n"));
        let line = format!("check bad.json {options}");
        retval(&world, "cloned/inner", &[], &line).status.code()
    };
    for log in ["logs/log.json", "inner/../log.json", &format!("{cloned}/new.json")] {
        assert_eq!(check(log, ""), Some(1), "{log}");
    }
    assert_eq!(check("../log.json", "--config ../retval.toml"), Some(1));
    for log in ["cloned/logs/log.json", "cloned/log.json", "cloned/new.json", "log.json"] {
        assert!(world.path(log).is_file(), "{log}");
    }
    assert_eq!(check("../log.json", "--errors-json mine.json"), Some(1));
}
