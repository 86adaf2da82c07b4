// The icon set by name.
import { IconDrawing, type IconLook } from "./icon-drawing.tsx";
import { ICON_PATHS, type IconName } from "./logic/icon-paths.ts";

export interface IconProps extends IconLook {
  readonly name: IconName;
}

export function Icon({ name, ...look }: IconProps) {
  return <IconDrawing path={ICON_PATHS[name]} {...look} />;
}
