// The pictures of profiles: twelve rosettes, each drawn from its name, the same for all users.

export const AVATAR_COUNT = 12;

export function avatarName(avatar: number): string {
  return `clockwork rosette ${avatar}`;
}
