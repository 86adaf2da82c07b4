// The picture of the page: a tomato whose price fell, and the same one the other way up. Drawn in the page's own colours.

export function TomatoDrawing() {
  return (
    <svg viewBox="0 0 420 220" aria-hidden="true" className="w-full max-lg:max-w-[420px]">
      <path
        d="M24 150 L96 92 L150 118 L214 58"
        className="fill-none stroke-up"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <path
        d="M206 58 L268 112 L316 84 L396 160"
        className="fill-none stroke-down"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <line x1="24" y1="196" x2="396" y2="196" className="stroke-line2" strokeWidth="1" />
      <Tomato x={96} isTurned={false} />
      <Tomato x={324} isTurned />
      <path
        d="M150 190 C180 214 240 214 270 190"
        className="fill-none stroke-muted"
        strokeWidth="2"
        strokeDasharray="5 5"
      />
      <path
        d="M259 192.3 L270 190 L265.3 200"
        className="fill-none stroke-muted"
        strokeWidth="2"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Tomato({ x, isTurned }: { readonly x: number; readonly isTurned: boolean }) {
  return (
    <g transform={`translate(${x} 166) ${isTurned ? "rotate(180)" : ""}`}>
      <ellipse cx="0" cy="2" rx="31" ry="27" className="fill-bg stroke-text" strokeWidth="2" />
      <path d="M0 -24 L-14 -33 L-8 -20 L-20 -16 L-5 -14 L0 -4 L5 -14 L20 -16 L8 -20 L14 -33 Z" className="fill-text" />
      <path d="M-20 4 C-19 14 -12 21 -4 23" className="fill-none stroke-line2" strokeWidth="2" strokeLinecap="round" />
    </g>
  );
}
