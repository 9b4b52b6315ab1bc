/**
 * Projects of docs/study/benchmark.json to which the expected remaining length of a session was fitted, and for which
 * the required certainty was chosen. They are every second one, by name, of the projects that report usage. The
 * schedule is judged by the others.
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
