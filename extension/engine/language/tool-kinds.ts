const changing = /write|edit|create|patch|apply|replace|delete|move|rename|commit|insert/i;
const running = /bash|shell|exec|command|run|terminal/i;

/** Whether a tool changes files, judged by its name. */
export function isChanging(tool: string): boolean {
  return changing.test(tool);
}

/** Whether a tool runs commands, judged by its name. Failures may hide in the output of such a tool. */
export function isRunning(tool: string): boolean {
  return running.test(tool);
}
