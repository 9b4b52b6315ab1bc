/** Begins the name of every folder in which a command of Strata's own asks a model. */
export const ownRunPrefix = 'strata-model-';

/** True for a session in such a folder: a program may have kept it, but it is no work of the person's. */
export function isOwnRun(folder: string | null): boolean {
  return folder !== null && new RegExp(`[\\\\/]${ownRunPrefix}[^\\\\/]+$`).test(folder);
}
