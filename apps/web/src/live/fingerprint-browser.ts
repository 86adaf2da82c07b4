// Reads the parts of a device fingerprint from a real browser.
// Must only run in a browser; each part may throw and the collector puts up with it.
import type { FingerprintSource } from "./fingerprint.ts";

export const browserFingerprint: FingerprintSource = {
  screen: () => ({
    width: screen.width,
    height: screen.height,
    availableWidth: screen.availWidth,
    availableHeight: screen.availHeight,
  }),
  userAgent: () => navigator.userAgent,
  language: () => navigator.language,
  platform: () => navigator.platform,
  timezoneOffsetMinutes: () => new Date().getTimezoneOffset(),
  timezoneName: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  plugins: () => [...navigator.plugins].map((plugin) => plugin.name),
  canvas: drawCanvas,
  webgl: readWebgl,
  audio: renderAudio,
};

/** Fonts, smoothing and blending differ from machine to machine; the picture's bytes show it. */
function drawCanvas(): string {
  const canvas = document.createElement("canvas");
  canvas.width = 220;
  canvas.height = 40;
  const context = canvas.getContext("2d");
  if (context === null) return "";
  context.textBaseline = "top";
  context.font = "15px Arial";
  context.fillStyle = "#1f6feb";
  context.fillRect(90, 4, 60, 22);
  context.fillStyle = "#0a7d33";
  context.fillText("Clockwork 0O1lI ≈ ⏱", 4, 12);
  context.globalCompositeOperation = "multiply";
  context.fillStyle = "rgba(255, 128, 0, 0.6)";
  context.beginPath();
  context.arc(120, 20, 16, 0, Math.PI * 2);
  context.fill();
  return canvas.toDataURL();
}

function readWebgl(): { vendor: string; renderer: string } {
  const context = document.createElement("canvas").getContext("webgl");
  if (context === null) return { vendor: "", renderer: "" };
  const names = context.getExtension("WEBGL_debug_renderer_info");
  return {
    vendor: String(context.getParameter(names?.UNMASKED_VENDOR_WEBGL ?? context.VENDOR)),
    renderer: String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER)),
  };
}

/** A tone through a compressor, summed: rounding differs between audio stacks. Nothing is played. */
async function renderAudio(): Promise<string> {
  const context = new OfflineAudioContext(1, 5_000, 44_100);
  const tone = context.createOscillator();
  tone.type = "triangle";
  tone.frequency.value = 10_000;
  const compressor = context.createDynamicsCompressor();
  tone.connect(compressor);
  compressor.connect(context.destination);
  tone.start(0);
  const buffer = await context.startRendering();
  let sum = 0;
  for (const sample of buffer.getChannelData(0).subarray(4_500)) sum += Math.abs(sample);
  return sum.toString();
}
