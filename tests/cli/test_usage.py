"""What `crane` says to arguments, and what it does with settings."""

from __future__ import annotations

import json


def test_arguments_that_make_no_sense_are_told_as_json_too(crane):
    name = crane.write("x = 1")
    done = crane("check", name, "--cell", 0, "--json")
    assert done.returncode == 2 and "usage: crane check" in done.stderr
    assert "counted from 1" in json.loads(done.stdout)["error"]["message"]
    done = crane("check", name, "--cell", 0)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_setting_that_is_not_there_is_not_removed(crane):
    assert crane("config", "set", "model", "m").stdout.startswith("Saved model")
    assert crane("config", "unset", "model").stdout.startswith("Removed model")
    assert "is not set" in crane("config", "unset", "model").stdout
    assert "from 500 to 2000000" in crane("config", "set", "token_budget", "1").stderr
