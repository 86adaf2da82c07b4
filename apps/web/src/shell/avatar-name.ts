// The pictures of profiles: twelve rosettes, each drawn from its name, so that everybody draws the same.

export const AVATAR_COUNT = 12;

export function avatarName(avatar: number): string {
  return `clockwork rosette ${avatar}`;
}
