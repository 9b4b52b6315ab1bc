// First: the toolkit needs it while it is imported.
import './nonce';
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Defines the custom elements that the components beside this file wrap. Nothing outside this folder knows them: the
 * toolkit is archived upstream, so another set of elements must be able to take its place here alone.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeProgressRing(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

/** The toolkit's fields hold their text as a form control does. */
export interface ValueElement extends HTMLElement {
  value: string;
}

export function fieldValue(event: Event): string {
  return (event.currentTarget as ValueElement).value;
}
