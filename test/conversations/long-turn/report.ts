import type { LongTurnDoor } from './doors';
import { type LongTurnServer, startLongTurn } from './model';

/** The result of a long turn through one entry point. */
export interface LongTurnReport {
  readonly door: string;
  readonly called: number;
  readonly hasAnswered: boolean;
  readonly requests: number;
  readonly refused: number;
  readonly summaries: number;
  /** Tokens of the largest request that was sent. */
  readonly largest: number;
  readonly withoutPrompt: number;
  readonly withoutPin: number;
  readonly failure: string | null;
}

export async function longTurn({ name, run }: LongTurnDoor, steps: number): Promise<LongTurnReport> {
  const server = await startLongTurn(steps);
  try {
    await run(server);
    return reportOf(name, server, null);
  } catch (error) {
    return reportOf(name, server, error instanceof Error ? error.message : String(error));
  } finally {
    server.close();
  }
}

export function reportOf(
  door: string,
  { model }: Pick<LongTurnServer, 'model'>,
  failure: string | null,
): LongTurnReport {
  const turns = model.taken.filter(({ isSummary }) => !isSummary);
  return {
    door,
    called: model.called,
    hasAnswered: model.hasAnswered,
    requests: turns.length,
    refused: model.taken.filter(({ isRefused }) => isRefused).length,
    summaries: model.taken.length - turns.length,
    largest: Math.max(0, ...model.taken.map(({ tokens }) => tokens)),
    withoutPrompt: turns.filter(({ hasPrompt }) => !hasPrompt).length,
    withoutPin: turns.filter(({ hasPin }) => !hasPin).length,
    failure,
  };
}

export function tableOf(reports: readonly LongTurnReport[]): string {
  const rows = reports.map((report) => [
    report.door,
    `${report.called}${report.hasAnswered ? '' : ', then failed'}`,
    String(report.requests),
    String(report.refused),
    String(report.largest),
    `${report.requests - report.withoutPrompt} of ${report.requests}`,
    `${report.requests - report.withoutPin} of ${report.requests}`,
  ]);
  const head = ['door', 'steps', 'requests', 'refused', 'largest', 'with the prompt', 'with the pin'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
