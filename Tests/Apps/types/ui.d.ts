// Options of the components in shared/ui.js and of others that many screens use.

declare namespace Ui {
  type View = any;

  /** Attributes and handlers of an element, as `h` takes them. */
  interface Props {
    key?: string | number;
    keep?: boolean;
    id?: string;
    class?: string;
    role?: string;
    title?: string;
    hidden?: boolean;
    lang?: string;
    tabindex?: string | number;
    onclick?: (event: any) => any;
    onkeydown?: (event: any) => any;
    onpointerdown?: (event: any) => any;
    onfocus?: (event: any) => any;
    onblur?: (event: any) => any;
    [aria: `aria-${string}`]: any;
    [data: `data-${string}`]: any;
  }

  interface ButtonProps extends Props {
    look?: 'primary' | 'plain' | 'danger' | 'quiet' | string;
    icon?: Icon;
    isBusy?: boolean;
    type?: 'button' | 'submit';
    wide?: boolean;
    disabled?: boolean;
    form?: string;
  }
  type Button = (label: View, props?: ButtonProps) => any;

  /** A labelled control. */
  interface Control extends Props {
    id: string;
    label: View;
    hint?: View;
    error?: View;
    isOptional?: boolean;
    name?: string;
    value?: any;
    required?: boolean;
    autocomplete?: string;
    disabled?: boolean;
    autofocus?: boolean;
    oninput?: (event: any) => any;
    onchange?: (event: any) => any;
  }
  interface FieldProps extends Control {
    multiline?: boolean;
    accept?: string;
    type?: string;
    autocomplete?: string;
    autocapitalize?: string;
    enterkeyhint?: string;
    inputmode?: string;
    spellcheck?: string;
    list?: string;
    max?: string | number;
    maxlength?: string | number;
    min?: string | number;
    minlength?: string | number;
    pattern?: string;
    placeholder?: string;
    readonly?: boolean;
    rows?: string | number;
    step?: string | number;
  }
  type Field = (props: FieldProps) => any;
  /** Pairs of value and label. */
  type Choices = any[][];
  type Select = (props: Control & { options: Choices }) => any;
  type Toggle = (props: {
    id: string;
    label: View;
    hint?: View;
    isOn: boolean;
    isBusy?: boolean;
    onchange: (isOn: boolean) => any;
  }) => any;
  type ChoiceRow = (props: {
    name: string;
    label: View;
    options: Choices;
    value: any;
    onchange: (key: any) => any;
    hideLabel?: boolean;
  }) => any;

  interface Heading {
    back?: string;
    actions?: View;
  }
  type Screen = (title: string, heading?: Heading, ...content: View[]) => any;

  type Icon = keyof typeof import('/apps/shared/icons.js').shapes;
  /** A name that is written out must be an icon's; one that is computed is taken as it is. */
  type Draw = <Name extends string>(name: Name & (string extends Name ? unknown : Icon)) => any;

  interface MapOptions {
    onclick?: (at: { latitude: number; longitude: number }) => any;
    onmove?: (center: { latitude: number; longitude: number }, isByHand: boolean) => any;
    onground?: () => any;
  }
  type CreateMap = (element: HTMLElement, options?: MapOptions & { label?: string }) => Promise<Map>;
  type Map = any;
  interface MapSlot {
    map: Map;
    view(className?: string): any;
    leave(): void;
  }
  type CreateMapSlot = (
    name: string,
    redraw: () => any,
    options?: MapOptions & { label?: () => string; onready?: (map: Map) => any },
  ) => MapSlot;

  /** A button that posts to a path, after a question if there is one. */
  type Step = (
    page: any,
    path: string,
    text: View,
    options?: ButtonProps & { question?: { title: string; text?: string; yes?: string } },
  ) => any;

  type CreateState = <Value extends object>(
    initial: Value,
  ) => {
    readonly value: Value;
    set(change: Partial<Value> | ((value: Value) => Partial<Value>)): void;
    listen(listener: (value: Value) => any): () => void;
  };

  /** Data of an app that is loaded again and again: shared/parts.js. */
  interface Part {
    load(): any;
    every?: number | (() => number);
    on?: string[];
    inBackground?: boolean;
    isDue?: boolean;
    error?: any;
    startedAt?: number;
    running?: Promise<void> | null;
  }
  type CreateParts = (options: {
    api: any;
    live: any;
    parts: Record<string, Part>;
    settled?: (name: string, error: any) => any;
  }) => { ask(...names: string[]): Promise<any>; start(): Promise<any>; readonly error: any };

  /** What `createResources` has of a path. */
  interface Resource<Value> {
    path: string;
    value?: Value;
    at?: number;
    error: any;
    isLoading: boolean;
    isDue: boolean;
    options?: any;
  }
  type GetResource = <Path extends string>(
    path: Path,
    options?: Api.Options & { isBrief?: boolean; kept?: (value: Api.Answer<'GET', Path>) => any },
  ) => Resource<Api.Answer<'GET', Path>>;
  interface Resources {
    get: GetResource;
    list: GetResource;
    keep(path: string, value: any): void;
    more(entry: Resource<any>): Promise<void>;
    reload(path: string): void;
    age(): void;
    forget(): void;
  }

  /** A screen of an address that is not only drawn, but also left. */
  type Room = [pattern: RegExp, screen: { leave(): void; forget?(): void }];
}
