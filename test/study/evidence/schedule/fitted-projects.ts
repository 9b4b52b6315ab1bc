/**
 * Projects of docs/study/benchmark.json to which the expected rest of a session was fitted, and on which was chosen how sure it has to
 * be: every second one by name of those that report usage. The others are what the schedule is judged by.
 */
const fittedProjects: ReadonlySet<string> = new Set([
  'Beep206+CyberVPN',
  'FSM1+cipher-box',
  'PackmindHub+context-evaluator',
  'Ri5ha6h+tan-mapper-app',
  'blackgirlbytes+entire-token-costs-benchmark-tests',
  'codyborders+pup-mcp',
  'rommeld+leeson',
  'stat-guy+imessage-mail',
]);

export function isFitted({ project }: { readonly project: string }): boolean {
  return fittedProjects.has(project);
}
