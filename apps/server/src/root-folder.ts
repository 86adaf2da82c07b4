// Path of the repository. Located in src itself: the build is one flat folder next to it, as far from the root.
import { resolve } from "node:path";

export const ROOT_FOLDER = resolve(import.meta.dirname, "../../..");
