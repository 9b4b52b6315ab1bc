import { ResultsUnusable } from '../../evaluation/measure/evaluation-results';
import { TaskInvalid } from '../../evaluation/measure/tasks/read-task';
import { ResultsNotWritten } from '../../evaluation/results-file';
import { CommandFailed } from '../command-failed';

/** Turns expected errors into a message with file, line and place. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isExpected =
      error instanceof ResultsUnusable || error instanceof ResultsNotWritten || error instanceof TaskInvalid;
    throw isExpected ? new CommandFailed(error.message) : error;
  }
}
