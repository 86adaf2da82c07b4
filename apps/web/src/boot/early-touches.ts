// A visitor's input to a page or a part of it that is rendered but not hydrated yet: recorded from the first moment by
// a script in the document's head, and replayed once when React has taken the element over. Links and forms with an
// address of their own are excluded: they work without scripts.

export interface EarlyTouch {
  /** A click or a submit was held back; typed or chosen values are in the field and were only noted. */
  readonly kind: "press" | "submit" | "entry";
  readonly target: HTMLElement;
  readonly submitter?: HTMLElement | null;
  /** What the field held after the last key, and whether its box was ticked. */
  readonly text?: string;
  readonly isTicked?: boolean;
  readonly atMs: number;
}

export interface EarlyTouches {
  readonly touches: EarlyTouch[];
  readonly isAwake: (element: Element) => boolean;
  /** Called after every touch that was kept. */
  publish: (() => void) | null;
  /** A kept touch is being done: what it sets off is not kept again. */
  isDoing: boolean;
}

declare global {
  var clockworkEarly: EarlyTouches | undefined;
}

/**
 * React marks each element it has taken over with the element's properties. An element without the mark is not hydrated
 * when the whole document is not, or when it is between the comments React puts around a part that hydrates separately;
 * any other element without the mark was not made by React and is ignored.
 *
 * A hydrated form is sent after earlier input to it: its fields are replayed one after another, and a submit between
 * two of them would find the later ones empty.
 */
export const EARLY_SCRIPT = `(function(){
var touches=[],early=window.clockworkEarly={touches:touches,isAwake:isAwake,publish:null,isDoing:false};
function isAwake(e){return Object.keys(e).some(function(k){return k.indexOf("__reactProps$")===0})}
function sleeps(e){
if(!isAwake(document.documentElement))return true;
var top=null,depth=0,at;
for(;e&&!isAwake(e);e=e.parentElement)top=e;
for(at=top&&top.previousSibling;at;at=at.previousSibling)if(at.nodeType===8){if(at.data==="/$")depth++;else if(at.data[0]==="$"&&depth--===0)return true}
return false}
function keep(touch){touch.atMs=Date.now();touches.push(touch);if(early.publish)early.publish()}
function hold(event,touch){event.preventDefault();event.stopImmediatePropagation();
if(!touches.some(function(t){return t.target===touch.target?t.kind===touch.kind:t.kind==="press"&&t.target.type==="submit"&&t.target.form===touch.target}))keep(touch)}
function waits(form){return !early.isDoing&&touches.some(function(t){return form.contains(t.target)})}
function forget(e){for(var i=touches.length;i--;)if(touches[i].kind==="entry"&&touches[i].target===e)touches.splice(i,1)}
var BUTTONS="button,[role=button],[role=tab],[role=switch],[role=menuitem],input[type=submit],input[type=button]";
addEventListener("click",function(event){
var e=event.target.closest&&event.target.closest(BUTTONS+",a,label,summary,input,select,textarea");
if(event.button||!e||!e.matches(BUTTONS)||(e.form&&e.type==="submit"&&e.form.hasAttribute("action"))||!sleeps(e))return;
hold(event,{kind:"press",target:e})},true);
addEventListener("submit",function(event){
var e=event.target;
if(!e.hasAttribute("action")&&(sleeps(e)||waits(e)))hold(event,{kind:"submit",target:e,submitter:event.submitter})},true);
function note(event){
var e=event.target;
if(!e.matches||!e.matches("input,select,textarea"))return;
forget(e);
if(!isAwake(e))keep({kind:"entry",target:e,text:e.value,isTicked:e.checked})}
addEventListener("input",note,true);addEventListener("change",note,true)
})()`;
