const changing = /write|edit|create|patch|apply|replace|delete|move|rename|commit|insert/i;
const running = /bash|shell|exec|command|run|terminal/i;

/** By its name: whether a tool changes files. */
export function isChanging(tool: string): boolean {
  return changing.test(tool);
}

/** By its name: whether a tool runs commands. Such a tool answers with output, in which a failure may hide. */
export function isRunning(tool: string): boolean {
  return running.test(tool);
}
