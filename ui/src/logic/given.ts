// Drops keys whose value is undefined, so optional props can be passed on to parts that refuse an explicit undefined.

export type Given<Props> = { [Key in keyof Props]?: Exclude<Props[Key], undefined> };

export function given<Props extends object>(props: Props): Given<Props> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(props)) if (value !== undefined) kept[key] = value;
  return kept as Given<Props>;
}
