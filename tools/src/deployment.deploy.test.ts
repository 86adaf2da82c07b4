// The deployment files are accepted by the programs that read them, harden what they start, and name only what there is.
import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, parseAllDocuments, parseDocument } from "yaml";
import { listFiles } from "./files.ts";
import { findLinter, type Linter } from "./linters.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const DEPLOY = join(ROOT, "deploy");
const UNITS = readdirSync(join(DEPLOY, "systemd"));
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));
/** Of 10; systemd calls 2 and less "OK" to "SAFE". */
const EXPOSURE_MAX = 2;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-deploy-"));
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
      ...[
        "-subj",
        "/CN=exchange.example",
        "-keyout",
        join(folder, "privkey.pem"),
        "-out",
        join(folder, "fullchain.pem"),
      ],
    ],
    { stdio: "ignore" },
  );
  const both = ["privkey.pem", "fullchain.pem"].map((name) => readFileSync(join(folder, name), "utf8"));
  writeFileSync(join(folder, "exchange.pem"), both.join(""));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(DEPLOY, path), "utf8");

function run(name: Linter, args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const program = findLinter(ROOT, name);
  if (program === undefined) throw new Error(`${name} is not here: npm test -- deploy brings it`);
  return new Promise((done) => {
    const options = { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...program.env } };
    execFile(program.path, [...args], options, (error, out, err) =>
      done({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, output: out + err }),
    );
  });
}

async function lintNginx(text: string): Promise<{ readonly code: number; readonly output: string }> {
  const file = join(folder, "nginx.conf");
  const placed = text.replaceAll("/etc/ssl/clockwork", folder);
  const own = ["body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) =>
    name === "body" ? `client_body_temp_path ${folder}/${name};` : `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    file,
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${own.join("\n")}\n${placed}\n}\n`,
  );
  return run("nginx", ["-t", "-q", "-e", "stderr", "-p", folder, "-c", file]);
}

test("[OPS-7] nginx accepts its configuration, and refuses it with a mistake", async () => {
  const text = read("nginx/clockwork.conf");
  expect(await lintNginx(text)).toEqual({ code: 0, output: "" });
  expect((await lintNginx(text.replace("proxy_http_version 1.1", "proxy_http_versions 1.1"))).code).not.toBe(0);
});

test("[OPS-7] haproxy accepts its configuration, and refuses it with a mistake", async () => {
  const lint = async (text: string) => {
    const file = join(folder, "haproxy.cfg");
    // Its user and group exist where it is installed.
    writeFileSync(file, text.replaceAll("/etc/ssl/clockwork", folder).replace(/^ {4}(?:user|group) haproxy\n/gm, ""));
    return run("haproxy", ["-c", "-q", "-f", file]);
  };
  const text = read("haproxy/haproxy.cfg");
  expect(await lint(text)).toMatchObject({ code: 0, output: expect.not.stringMatching(/WARNING|ALERT/) });
  expect((await lint(text.replace("default_backend server", "default_backend servers"))).code).not.toBe(0);
});

test("[OPS-7] both proxies pass on the name, the address and sockets, hide the metrics and redirect to TLS", () => {
  const [nginx, haproxy] = [read("nginx/clockwork.conf"), read("haproxy/haproxy.cfg")];
  for (const part of [
    "Host $host",
    "X-Forwarded-For $remote_addr",
    "Upgrade $http_upgrade",
    "return 301 https://",
    "location = /metrics",
  ])
    expect(nginx).toContain(part);
  for (const part of [
    "set-header X-Forwarded-For %[src]",
    "redirect scheme https",
    "{ path /metrics }",
    "timeout tunnel",
  ])
    expect(haproxy).toContain(part);
});

/** Units whose programs are there: systemd refuses a unit whose program is not. */
function placeUnits(): string {
  const place = join(folder, "units");
  mkdirSync(place, { recursive: true });
  for (const name of UNITS) {
    const text = read(`systemd/${name}`)
      .replaceAll("/opt/clockwork/", `${ROOT}/`)
      .replace(/^WorkingDirectory=.*$/m, "WorkingDirectory=/");
    // systemd knows no user of that name on this machine.
    writeFileSync(join(place, name), text.replace(/^(User|Group)=clockwork$/gm, "$1=daemon"));
  }
  return place;
}

test("[OPS-7] systemd accepts every unit", async () => {
  const place = placeUnits();
  const { code, output } = await run("systemd-analyze", [
    "verify",
    "--man=no",
    "--recursive-errors=no",
    ...UNITS.map((name) => join(place, name)),
  ]);
  const own = output.split("\n").filter((line) => line.includes("clockwork"));
  expect({ code, own }).toEqual({ code: 0, own: [] });
});

test.each(SERVICES)("[OPS-7] %s leaves little open, and one without its walls is found", async (name) => {
  const place = placeUnits();
  const path = join(place, name);
  const judge = () => run("systemd-analyze", ["security", "--offline=true", `--threshold=${EXPOSURE_MAX * 10}`, path]);
  expect((await judge()).code).toBe(0);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(/^(?:Protect|Private|Restrict|SystemCall|CapabilityBounding).*$/gm, ""),
  );
  expect((await judge()).code).not.toBe(0);
});

test("[OPS-7] every timer starts a service of its name, and what units start is there and may be run", () => {
  for (const timer of UNITS.filter((name) => name.endsWith(".timer")))
    expect(UNITS).toContain(timer.replace(".timer", ".service"));
  for (const name of SERVICES) {
    const program = /^ExecStart=\/opt\/clockwork\/(\S+)/m.exec(read(`systemd/${name}`))?.[1] ?? "";
    expect(statSync(join(ROOT, program)).mode & 0o111, name).toBe(0o111);
  }
});

test("[OPS-7] promtool accepts scrape and alerts; each alert reads a metric of the server and names a section of the runbook", async () => {
  const place = join(folder, "prometheus");
  cpSync(join(DEPLOY, "prometheus"), place, { recursive: true });
  const scrape = join(place, "prometheus.yaml");
  writeFileSync(
    scrape,
    readFileSync(scrape, "utf8").replace("/etc/prometheus/clockwork.token", join(folder, "privkey.pem")),
  );
  expect(await run("promtool", ["check", "config", scrape])).toMatchObject({ code: 0 });
  const { groups } = parse(read("prometheus/alerts.yaml")) as {
    groups: readonly { rules: readonly { expr: string; annotations: { runbook: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const sources = ["apps/server/src", "areas"].flatMap((place) =>
    listFiles(join(ROOT, place)).flatMap((path) =>
      path.endsWith(".ts") ? readFileSync(join(ROOT, place, path), "utf8") : [],
    ),
  );
  const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
  for (const { expr, annotations } of rules) {
    const metric = /\bcw_[a-z_]+/.exec(expr)?.[0].replace(/_count$/, "");
    expect(
      metric === undefined ? expr.startsWith("up{") : sources.some((text) => text.includes(`"${metric}"`)),
      expr,
    ).toBe(true);
    expect(runbook).toMatch(new RegExp(`^#+ ${annotations.runbook}$`, "m"));
  }
  expect(rules.length).toBeGreaterThan(5);
});

test("[OPS-7] shellcheck has nothing to say about the programs of deploy", async () => {
  const programs = readdirSync(join(DEPLOY, "bin")).map((name) => join(DEPLOY, "bin", name));
  expect(await run("shellcheck", ["--severity=warning", ...programs])).toEqual({ code: 0, output: "" });
});

test("[OPS-7] the compose file is whole: hardened, without a secret in it, with volumes and secrets that it declares", () => {
  const document = parseDocument(read("container/compose.yaml"), { strict: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  const compose = document.toJS() as {
    services: Readonly<
      Record<
        string,
        {
          read_only?: boolean;
          cap_drop?: readonly string[];
          security_opt?: readonly string[];
          volumes?: readonly string[];
          secrets?: readonly string[];
        }
      >
    >;
    volumes: object;
    secrets: object;
  };
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    const named = (service.volumes ?? [])
      .map((volume) => volume.split(":")[0] ?? "")
      .filter((from) => !from.startsWith("."));
    for (const volume of named) expect(Object.keys(compose.volumes)).toContain(volume);
    for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
  }
  expect(read("container/compose.yaml")).not.toMatch(/PASSWORD: /);
});

test("[OPS-7] the image runs as a user without rights, from files it cannot write, and reports its health", () => {
  const text = read("container/Containerfile");
  const last = text.slice(text.lastIndexOf("FROM "));
  expect(last).toMatch(/^USER 10001:10001$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last).toContain("--chown=root:root");
  const [, program = ""] = /ENTRYPOINT \["\/opt\/clockwork\/(.+)"\]/.exec(last) ?? [];
  expect(existsSync(join(ROOT, program))).toBe(true);
});

/** What Helm does with a chart of values alone: this one uses nothing else, and the test refuses what does. */
function render(text: string, values: unknown): string {
  return text.replace(/\{\{\s*([^}]*?)\s*\}\}/g, (_, expression: string) => {
    const path = /^\.(Values|Release)((?:\.\w+)+)$/.exec(expression);
    if (path === null) throw new Error(`{{ ${expression} }} is more than a value`);
    let at: unknown = path[1] === "Release" ? { Name: "exchange" } : values;
    for (const key of (path[2] ?? "").slice(1).split(".")) at = (at as Readonly<Record<string, unknown>>)[key];
    if (typeof at !== "string") throw new Error(`values.yaml has no text ${expression}`);
    return at;
  });
}

test("[OPS-7] the chart renders to whole objects: one writer, no rights, a read-only root, and every value used", () => {
  const values: unknown = parse(read("helm/clockwork/values.yaml"));
  const names = readdirSync(join(DEPLOY, "helm/clockwork/templates"));
  const texts = names.map((name) => read(`helm/clockwork/templates/${name}`));
  const objects = texts.flatMap((text) =>
    parseAllDocuments(render(text, values)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as { kind: string; metadata: { name: string }; spec: Record<string, never> };
    }),
  );
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
    ["StatefulSet exchange", "Service exchange", "Ingress exchange"].sort(
      (one, other) =>
        objects.findIndex(({ kind }) => one.startsWith(kind)) - objects.findIndex(({ kind }) => other.startsWith(kind)),
    ),
  );
  const set = objects.find(({ kind }) => kind === "StatefulSet");
  expect(set?.spec).toMatchObject({
    replicas: 1,
    template: {
      spec: {
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001 },
        containers: [
          {
            securityContext: {
              readOnlyRootFilesystem: true,
              allowPrivilegeEscalation: false,
              capabilities: { drop: ["ALL"] },
            },
          },
        ],
        volumes: expect.arrayContaining([
          expect.objectContaining({ name: "settings", secret: expect.objectContaining({ defaultMode: 0o440 }) }),
        ]),
      },
    },
  });
  const leaves = (value: unknown, path: string): readonly string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
      : [path];
  for (const leaf of leaves(values, ".Values")) expect(texts.join("\n")).toContain(leaf);
  const chart = parse(read("helm/clockwork/Chart.yaml")) as Readonly<Record<string, string>>;
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  expect(chart).toMatchObject({ apiVersion: "v2", name: "clockwork", appVersion: version });
});

test("[OPS-7] PostgreSQL's settings keep what was confirmed", () => {
  const lines = read("postgresql/clockwork.conf")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const settings = new Map(lines.map((line) => [line.split(" = ")[0] ?? "", line.split(" = ").slice(1).join(" = ")]));
  for (const name of ["fsync", "full_page_writes", "synchronous_commit", "archive_mode"])
    expect(settings.get(name), name).toBe("on");
  expect(settings.size).toBe(lines.length);
});

test("[OPS-7] the backup program keeps the newest finished copies and removes no other folder", () => {
  const copies = join(folder, "copies");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  cpSync(join(DEPLOY, "bin/clockwork-backup"), join(bin, "clockwork-backup"));
  // In the place of the command line: a copy that is finished.
  writeFileSync(join(bin, "clockwork"), '#!/bin/sh\nmkdir -p "$4" && echo {} > "$4/copy.json"\n');
  chmodSync(join(bin, "clockwork"), 0o755);
  const days = ["2026-01-01T000000Z", "2026-01-02T000000Z", "2026-01-03T000000Z"];
  for (const name of [...days, "2025-12-31T000000Z", "notes"]) mkdirSync(join(copies, name), { recursive: true });
  for (const name of [...days, "notes"]) writeFileSync(join(copies, name, "copy.json"), "{}");
  execFileSync(join(bin, "clockwork-backup"), [copies, "/nowhere/data", "2"]);
  const left = readdirSync(copies);
  expect(left).toHaveLength(4);
  expect(left).toEqual(expect.arrayContaining(["2026-01-03T000000Z", "2025-12-31T000000Z", "notes"]));
});
