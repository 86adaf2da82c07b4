// Joins class names, skipping the ones a condition switched off. Never merges or reorders utilities.

export function cx(...names: ReadonlyArray<string | false | null | undefined>): string {
  let joined = "";
  for (const name of names) if (name) joined = joined ? `${joined} ${name}` : name;
  return joined;
}
