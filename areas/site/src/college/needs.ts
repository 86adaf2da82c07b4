// The ports of the college: the texts, and their parser.

export interface CollegeText {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  /** The course a lesson belongs to; the level of a course. */
  readonly category: string;
  /** Markdown. */
  readonly body: string;
  readonly minutes: number;
}

export interface CollegeNeeds {
  /** Courses in their order. */
  listCourses(timeMs: number): Promise<readonly CollegeText[]>;
  /** Lessons in their order; those of one course when named. */
  listLessons(timeMs: number): Promise<readonly CollegeText[]>;
  parse(markdown: string): unknown[];
}
