/** How agents tell a model the folder that they work in. */
const patterns = [
  /<cwd>([^<\n]+)<\/cwd>/,
  /^\s*-? ?(?:Primary |Current )?[Ww]orking directory: ([^\n]+)$/m,
  /^# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/m,
  /currently working in the directory: ?([^\n]+)$/m,
];

const absolute = /^(?:\/|~|[A-Za-z]:[\\/])/;

/** The working folder that a system prompt or an agent's own text names; null if it names none. */
export function workingFolderIn(text: string): string | null {
  for (const pattern of patterns) {
    const folder = pattern.exec(text)?.[1]?.trim();
    if (folder !== undefined && absolute.test(folder)) return folder;
  }
  return null;
}
