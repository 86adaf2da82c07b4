import { describe, expect, test } from "vitest";
import { compareSections } from "./change-rules.ts";

describe("Changes of a version", () => {
  const before = "Lead.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n\n## Three\n\nThird.";

  test("[PAGE-1] lists sections that are new or changed, and counts removed ones", () => {
    const after = "Lead.\n\n## One\n\nFirst.\n\n## Two\n\nAnother.\n\n## Four\n\nFourth.";
    expect(compareSections(before, after)).toEqual({ sections: ["Two", "Four"], removedCount: 1 });
  });

  test("[PAGE-1] moving a section or writing another lead changes none", () => {
    const after = "Other lead.\n\n## Two\n\nSecond.\n\n## One\n\nFirst.\n\n## Three\n\nThird.";
    expect(compareSections(before, after)).toEqual({ sections: [], removedCount: 0 });
  });

  test("[PAGE-1] a title used twice is compared whole", () => {
    const twice = "## One\n\na\n\n## One\n\nb";
    expect(compareSections(twice, twice)).toEqual({ sections: [], removedCount: 0 });
    expect(compareSections(twice, "## One\n\na").sections).toEqual(["One"]);
  });
});
