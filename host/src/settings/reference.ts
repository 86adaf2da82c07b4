// The reference of all settings in three forms, made from their declarations: the help on a terminal, the commented
// sample of the settings file, and the tables of the runbook.
import { fileKeyOf, SETTING_GROUPS } from "./all-settings.ts";
import type { Setting } from "./setting.ts";

const WIDTH = 100;

/** Breaks a text into lines of at most the width, between words. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const comment = (text: string): string =>
  wrap(text, WIDTH - 2)
    .map((line) => `# ${line}\n`)
    .join("");

function describeValue({ fallback, shape, secret }: Setting<unknown>): string {
  const given = fallback === "" ? "not set by default" : `default ${fallback}`;
  return `${shape}; ${given}${secret === true ? "; secret" : ""}`;
}

/** For `--help`. */
export function renderHelp(): string {
  const indent = (text: string): string =>
    wrap(text, WIDTH - 6)
      .map((line) => `      ${line}\n`)
      .join("");
  const groups = SETTING_GROUPS.map(({ title, settings }) => {
    const rows = settings.map(
      (setting) => `  ${setting.name}\n${indent(setting.about)}${indent(`(${describeValue(setting)})`)}`,
    );
    return `${title}\n\n${rows.join("")}`;
  });
  return `Settings are environment variables, or lines of a settings file: CW_PUBLIC_ORIGIN is public_origin there.\nVariables win over the file.\n\n${groups.join("\n")}`;
}

/** The settings file with every line commented out: what it sets when the comment mark goes is the default. */
export function renderSample(): string {
  const groups = SETTING_GROUPS.map(({ title, settings }) => {
    const rows = settings
      .filter(({ isVariableOnly }) => isVariableOnly !== true)
      .map(
        (setting) =>
          `${comment(`${setting.about}.`)}${comment(`${setting.shape}${setting.secret === true ? "; secret" : ""}`)}#${fileKeyOf(setting.name)}: ${JSON.stringify(setting.fallback)}\n`,
      );
    return `## ${title}\n\n${rows.join("\n")}`;
  });
  return `# Settings of Clockwork. Copy to clockwork.yaml (or to the file that CW_SETTINGS names), chmod 600, and take the mark off\n# the lines to set. An environment variable (CW_PUBLIC_ORIGIN for public_origin) wins over its line. Made by npm run docs.\n\n${groups.join("\n\n")}`;
}

/** A settings file with these lines, each below its meaning. */
export function renderFile(values: ReadonlyMap<string, string>): string {
  const rows = SETTING_GROUPS.flatMap(({ settings }) => settings).flatMap((setting) => {
    const text = values.get(fileKeyOf(setting.name));
    if (text === undefined || setting.isVariableOnly === true) return [];
    return [`${comment(`${setting.about}.`)}${fileKeyOf(setting.name)}: ${JSON.stringify(text)}\n`];
  });
  return `# Settings of Clockwork; clockwork settings lists all that there are.\n\n${rows.join("\n")}`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The tables of the runbook, one for each group. */
export function renderTables(): string {
  const tables = SETTING_GROUPS.map(({ title, settings }) => {
    const rows = settings.map((setting) => {
      const { name, fallback, about, shape, secret } = setting;
      const given = fallback === "" ? "–" : `\`${fallback}\``;
      return `| \`${name}\` | ${given} | ${cell(shape)}${secret === true ? "; secret" : ""} | ${cell(about)} |`;
    });
    return `### ${title}\n\n| variable | default | value | what it sets |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  return tables.join("\n");
}
