// The few icons every page shows at once, without the rest of the set: a first load carries no drawing it does not use.
import { IconDrawing, type IconLook } from "./icon-drawing.tsx";
import { FRAME_ICON_PATHS, type FrameIconName } from "./logic/frame-icon-paths.ts";

export interface FrameIconProps extends IconLook {
  readonly name: FrameIconName;
}

export function FrameIcon({ name, ...look }: FrameIconProps) {
  return <IconDrawing path={FRAME_ICON_PATHS[name]} {...look} />;
}
