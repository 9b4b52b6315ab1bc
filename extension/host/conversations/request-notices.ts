import * as vscode from 'vscode';
import type { Notices } from '../../middleware/requests/kept-requests';

/** A disk that is full is told of once, not with every request. */
export function requestNotices(log: vscode.LogOutputChannel): Notices {
  let wasTold = false;
  return {
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    notKept: (message) => {
      log.error(message);
      if (wasTold) return;
      wasTold = true;
      const effect = vscode.l10n.t('The model is sent all of it, but Strata cannot show or compact what is new.');
      void vscode.window.showWarningMessage(`${message} ${effect}`);
    },
  };
}
