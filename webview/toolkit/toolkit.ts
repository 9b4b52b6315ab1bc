// Must come first: the toolkit needs it during its import.
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
 * Defines the custom elements that the components in this folder wrap. Nothing outside this folder uses them: the
 * toolkit is archived upstream, so it must be replaceable by changing this folder alone.
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

/** The toolkit's fields have a `value`, as form controls have. */
export interface ValueElement extends HTMLElement {
  value: string;
}

export function fieldValue(event: Event): string {
  return (event.currentTarget as ValueElement).value;
}
