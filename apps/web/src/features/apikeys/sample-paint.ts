// Which letters of a sample are words of its language, texts, numbers and remarks: enough for reading, no grammar.

export type Paint = "plain" | "word" | "text" | "number" | "remark";

export interface Painted {
  readonly at: number;
  readonly paint: Paint;
  readonly text: string;
}

const WORDS =
  "import|from|const|new|for|of|if|else|typeof|await|async|return|def|in|print|isinstance|curl|query|signature|node";
const PARTS = new RegExp(
  String.raw`(?<remark>(?<![:"'/\\])\/\/[^\n"]*$)|(?<text>"(?:\\.|[^"\\\n])*"|/\^(?:\\.|[^/\n\\]|\[[^\]]*\])+/)|(?<word>\b(?:${WORDS})\b)|(?<number>\b\d+(?:\.\d+)?\b)`,
  "gm",
);

export function paintSample(sample: string): readonly Painted[] {
  const found: Painted[] = [];
  let at = 0;
  const add = (paint: Paint, text: string): void => {
    if (text !== "") found.push({ at, paint, text });
    at += text.length;
  };
  for (const { 0: text, index, groups } of sample.matchAll(PARTS)) {
    add("plain", sample.slice(at, index));
    const paint = (["remark", "text", "word", "number"] as const).find((name) => groups?.[name] !== undefined);
    add(paint ?? "plain", text);
  }
  add("plain", sample.slice(at));
  return found;
}
