#!/usr/bin/env node
"use strict";
// Plain old JavaScript, so that a Node that is too old can still read this file and say so.

var needed = [22, 13];
var path = require("path");
var found = process.versions.node.split(".").map(Number);
var isNewEnough = found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1]);

// Clients run a hook for each prompt and each tool: it has a small part of its own, and no failure of it is theirs.
var isHook = process.argv[2] === "hook";
var failure = isHook ? 0 : 1;

if (isNewEnough) start();
else reExecute();

function start() {
  // What this process starts may come upon the old Node again.
  delete process.env.RECOLLECT_REEXECUTED;
  silenceSqliteWarning();
  Promise.resolve()
    .then(function () {
      var load = require("./load.cjs").start;
      return isHook && process.argv.length === 4 && /^[a-z][a-z-]*$/.test(process.argv[3])
        ? load("hook").runHook(process.argv[3])
        : load("recollect").runProcess();
    })
    .catch(function (error) {
      if (error && error.code === "ERR_MODULE_NOT_FOUND") {
        process.stderr.write("recollect: this checkout is not built. Run: npm ci\n");
      } else {
        process.stderr.write("recollect: " + ((error && error.stack) || error) + "\n");
      }
      process.exitCode = failure;
    });
}

// In a checkout the right Node is a dev dependency; run on that one.
function reExecute() {
  var pinned = path.join(
    __dirname,
    "..",
    "node_modules",
    "node",
    "bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  if (!require("fs").existsSync(pinned) || process.env.RECOLLECT_REEXECUTED) {
    process.stderr.write(
      "recollect needs Node " +
        needed.join(".") +
        " or newer; this is " +
        process.versions.node +
        ".\n" +
        "Get it from https://nodejs.org, or with your version manager (nvm install 24, fnm install 24, volta install node@24).\n" +
        "In a checkout of recollect, npm ci brings it along.\n",
    );
    process.exit(failure);
  }
  var env = Object.assign({}, process.env, { RECOLLECT_REEXECUTED: "1" });
  var child = require("child_process").spawn(pinned, [__filename].concat(process.argv.slice(2)), {
    stdio: "inherit",
    env: env,
  });
  // The child shares our stdin and ends when it ends, also where this process is killed; a polite stop is passed on.
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("error", function (error) {
    process.stderr.write(
      "recollect: the pinned Node in node_modules cannot be started (" + (error.code || error) + "). Run: npm ci\n",
    );
    process.exitCode = failure;
  });
  child.on("exit", function (code, signal) {
    process.exitCode = signal ? failure : code;
  });
}

// Node 22 calls its own SQLite experimental at each start; nothing that a user could act on.
function silenceSqliteWarning() {
  var emit = process.emitWarning;
  process.emitWarning = function (warning) {
    if (!/SQLite is an experimental feature/.test(String(warning))) emit.apply(process, arguments);
  };
}
