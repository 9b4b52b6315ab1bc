/** The command that answers, with its first words. `strata setup` writes its place here. */
export const command = ['strata'];
