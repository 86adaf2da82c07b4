// Where the repository lies. Stands in src itself: the build is one flat folder beside it, as far from the root.
import { resolve } from "node:path";

export const ROOT_FOLDER = resolve(import.meta.dirname, "../../..");
