// The motif: an escape wheel of fifteen teeth inside its minute ring, drawn once as paths. With a tooth missing it is
// the picture of a page that is not there.
import { memo } from "react";

const TEETH = 15;
const ROOT = 262;
const TIP = 316;
const CENTRE = 400;

function at(radius: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  return `${(CENTRE + radius * Math.sin(angle)).toFixed(1)} ${(CENTRE - radius * Math.cos(angle)).toFixed(1)}`;
}

/** One club tooth: a long hollow back, a short flat tip, a steep front. */
function drawTooth(startDegrees: number): string {
  const step = 360 / TEETH;
  const back = `Q${at(ROOT + 2, startDegrees + step * 0.5)} ${at(TIP - 6, startDegrees + step * 0.74)}`;
  const tip = `L${at(TIP, startDegrees + step * 0.86)}`;
  const front = `L${at(ROOT, startDegrees + step)}`;
  return back + tip + front;
}

function drawWheel(skip: number): string {
  const step = 360 / TEETH;
  let path = `M${at(ROOT, 0)}`;
  for (let tooth = 0; tooth < TEETH; tooth++) {
    path += tooth === skip ? `A${ROOT} ${ROOT} 0 0 1 ${at(ROOT, (tooth + 1) * step)}` : drawTooth(tooth * step);
  }
  return `${path}Z`;
}

function drawSpokes(): string {
  let path = "";
  for (let spoke = 0; spoke < 5; spoke++) {
    const degrees = spoke * 72 + 28;
    path += `M${at(66, degrees - 12)}L${at(226, degrees - 4)}M${at(66, degrees + 12)}L${at(226, degrees + 4)}`;
  }
  return path;
}

/** A hairspring: half turns of growing radius. */
function drawSpring(): string {
  let path = `M${CENTRE} ${CENTRE - 70}`;
  let x = CENTRE;
  let upwards = true;
  let reach = 70;
  let y = CENTRE - 70;
  for (let half = 0; half < 9; half++) {
    reach += 7;
    y = upwards ? y + reach * 2 : y - reach * 2;
    path += `A${reach} ${reach} 0 0 1 ${x} ${y}`;
    upwards = !upwards;
    x = CENTRE;
  }
  return path;
}

const MISSING = 2;
const whole = drawWheel(-1);
const broken = drawWheel(MISSING);
const gap = `M${at(ROOT, MISSING * (360 / TEETH))}${drawTooth(MISSING * (360 / TEETH))}`;
const spokes = drawSpokes();
const spring = drawSpring();

export const EscapeWheel = memo(function EscapeWheel({
  missingTooth = false,
  className,
}: {
  readonly missingTooth?: boolean;
  readonly className?: string;
}) {
  return (
    <svg viewBox="0 0 800 800" fill="none" stroke="currentColor" aria-hidden="true" className={className}>
      <circle cx="400" cy="400" r="392" />
      <circle cx="400" cy="400" r="382" strokeWidth="6" strokeDasharray="1 19.002" />
      <circle cx="400" cy="400" r="379" strokeWidth="14" strokeDasharray="1.4 197.045" />
      <path d={missingTooth ? broken : whole} strokeLinejoin="round" />
      <circle cx="400" cy="400" r="226" />
      <path d={spokes} />
      <path d={spring} />
      <circle cx="400" cy="400" r="66" />
      <circle cx="400" cy="400" r="42" />
      <circle cx="400" cy="400" r="11" />
      {missingTooth && (
        <path d={gap} className="text-faint" stroke="currentColor" strokeWidth="1.5" strokeDasharray="5 5" />
      )}
    </svg>
  );
});
