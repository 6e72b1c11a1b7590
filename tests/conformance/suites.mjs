// Runs the suites one after another and counts what they checked.
//
// A scenario that fails, warns, checks nothing or was not run at all is a failure;
// there is no list of failures that are expected.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const [work, url, client] = process.argv.slice(2);
const suite = (name) =>
  join(work, name, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

// What each suite is known to list for a server: one that lists less has changed.
const RUNS = [
  { suite: "new", version: "2025-06-18", scenarios: 27 },
  { suite: "new", version: "2025-11-25", scenarios: 33 },
  { suite: "new", version: "2026-07-28", scenarios: 40 },
  { suite: "old", version: "2025-06-18", scenarios: 26 },
  { suite: "old", version: "2025-11-25", scenarios: 32 },
];
// The same for a client: those that need no authorization server.
const CLIENT_RUNS = [
  { suite: "new", version: "2025-06-18", scenarios: 2 },
  { suite: "new", version: "2025-11-25", scenarios: 5 },
  { suite: "new", version: "2026-07-28", scenarios: 8 },
  { suite: "old", version: "2025-06-18", scenarios: 2 },
  { suite: "old", version: "2025-11-25", scenarios: 4 },
];
// Scenarios of extensions belong to no version.
const CLIENT_EXTENSIONS = 4;
const TASKS = 10;
// The suite itself skips it whatever the server does.
const ALWAYS_SKIPPED = ["tasks-status-notifications"];

function run(name, args) {
  const run = spawnSync(process.execPath, [suite(name), ...args], { encoding: "utf8" });
  return { output: run.stdout + run.stderr, succeeded: run.status === 0 };
}

function cli(name, args) {
  return run(name, args).output;
}

function listed(name, args, side = "--server") {
  const pattern = /^ {2}- (\S+)/gm;
  return [...cli(name, ["list", side, ...args]).matchAll(pattern)].map((it) => it[1]);
}

/** What was checked, by scenario, as the suite wrote it down. */
function results(folder) {
  const found = new Map();
  let names = [];
  try {
    names = readdirSync(folder, { recursive: true });
  } catch {
    // Nothing was run.
  }
  for (const file of names.filter((it) => it.endsWith("checks.json"))) {
    const checks = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const scenario = file.replace(/^(?:server-)?(.*?)-\d{4}-\d{2}-\d{2}T.*$/s, "$1");
    found.set(scenario, [...(found.get(scenario) ?? []), ...checks]);
  }
  return found;
}

const problems = [];

function judge(title, expected, checks) {
  const total = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0 };
  for (const scenario of expected) {
    const own = checks.get(scenario);
    if (!own) {
      problems.push(`${title}: ${scenario} was not run`);
      continue;
    }
    for (const check of own) {
      total[check.status] = (total[check.status] ?? 0) + 1;
      if (check.status === "FAILURE" || check.status === "WARNING") {
        const why = check.errorMessage ?? check.description ?? "";
        problems.push(`${title}: ${scenario}: ${check.status} ${check.id}: ${why}`);
      }
    }
    const passed = own.some((check) => check.status === "SUCCESS");
    if (!passed && !ALWAYS_SKIPPED.includes(scenario)) {
      problems.push(`${title}: ${scenario} checked nothing`);
    }
  }
  const run = expected.filter((scenario) => checks.has(scenario)).length;
  const counts = Object.entries(total).map(([status, count]) => `${count} ${status.toLowerCase()}`);
  console.log(`${title}: ${run} of ${expected.length} scenarios run; ${counts.join(", ")}`);
}

function fresh(...names) {
  const folder = join(work, "results", ...names);
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

for (const { suite: name, version, scenarios } of RUNS) {
  const title = `${name} suite, ${version}`;
  const expected = listed(name, ["--spec-version", version]);
  if (expected.length !== scenarios) {
    problems.push(`${title}: lists ${expected.length} scenarios instead of ${scenarios}`);
  }
  const folder = fresh(name, version);
  cli(name, ["server", "--url", url, "--suite", "all", "--spec-version", version, "-o", folder]);
  judge(title, expected, results(folder));
}

const tasks = listed("new", []).filter((scenario) => scenario.startsWith("tasks-"));
if (tasks.length !== TASKS) {
  problems.push(`tasks extension: lists ${tasks.length} scenarios instead of ${TASKS}`);
}
const folder = fresh("new", "tasks");
for (const scenario of tasks) {
  cli("new", ["server", "--url", url, "--scenario", scenario, "-o", folder]);
}
judge("tasks extension", tasks, results(folder));

// One after another, since one of them measures time.
for (const { suite: name, version, scenarios } of CLIENT_RUNS) {
  const title = `${name} suite, client, ${version}`;
  const all = listed(name, ["--spec-version", version], "--client");
  const expected = all.filter((scenario) => !scenario.startsWith("auth/"));
  if (expected.length !== scenarios) {
    problems.push(`${title}: lists ${expected.length} scenarios instead of ${scenarios}`);
  }
  const folder = fresh(name, "client", version);
  // 0.1.16 does not tell a single scenario which version it is of.
  const chosen = name === "new" ? ["--spec-version", version] : [];
  for (const scenario of expected) {
    const args = ["client", "--command", client, "--scenario", scenario, ...chosen, "-o", folder];
    const { succeeded, output } = run(name, args);
    if (!succeeded) {
      problems.push(`${title}: ${scenario} did not succeed:\n${output.trim()}`);
    }
  }
  judge(title, expected, results(folder));
}

const extensions = listed("new", [], "--client").filter((it) => it.startsWith("sep-2640-"));
if (extensions.length !== CLIENT_EXTENSIONS) {
  problems.push(`extensions, client: lists ${extensions.length} scenarios instead of ${CLIENT_EXTENSIONS}`);
}
const extended = fresh("new", "client", "extensions");
for (const scenario of extensions) {
  const args = ["client", "--command", client, "--scenario", scenario, "-o", extended];
  const { succeeded, output } = run("new", args);
  if (!succeeded) {
    problems.push(`extensions, client: ${scenario} did not succeed:\n${output.trim()}`);
  }
}
judge("new suite, client, extensions", extensions, results(extended));

for (const problem of problems) {
  console.log(`- ${problem}`);
}
console.log(problems.length === 0 ? "conformance: passed" : `conformance: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
