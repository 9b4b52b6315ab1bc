/** Prefix of the name of every folder in which one of Strata's own commands asks a model. */
export const ownRunPrefix = 'strata-model-';

/** True for a session in such a folder: it is Strata's own, not the person's work. */
export function isOwnRun(folder: string | null): boolean {
  return folder !== null && new RegExp(`[\\\\/]${ownRunPrefix}[^\\\\/]+$`).test(folder);
}
