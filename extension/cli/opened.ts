import { recallToolOf } from '../inside/setup/installed';
import { Inspection } from '../inspection/inspection';
import { assumedContextWindow } from '../sessions/model-windows';
import { type JournalOptions, openWithJournal } from './session-with-journal';

/** A session file, or a conversation in a store, with its journal, as `openWithJournal` opens them. */
export async function openInspection(file: string, options: JournalOptions): Promise<Inspection> {
  const { current, journal } = await openWithJournal(file, options);
  const inspection = await Inspection.over(current, journal, assumedContextWindow);
  inspection.recallTool = await recallToolOf(inspection.session.agent);
  return inspection;
}
