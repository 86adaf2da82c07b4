// Highlights a piece of TypeScript for reading: words of the language, texts, comments. A reader's aid, not a parser.

export type PieceKind = "plain" | "word" | "text" | "comment";

export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

const PATTERN =
  /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(import|export|from|const|let|return|function|type|interface|if|else|for|of|new|async|await|null|undefined|true|false|as)\b/g;

export function highlight(code: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of code.matchAll(PATTERN)) {
    if (match.index > end) pieces.push({ kind: "plain", text: code.slice(end, match.index) });
    const kind = match[1] !== undefined ? "comment" : match[2] !== undefined ? "text" : "word";
    pieces.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) pieces.push({ kind: "plain", text: code.slice(end) });
  return pieces;
}
