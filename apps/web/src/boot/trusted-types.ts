// What a page may turn into code or markup where the policy requires trusted types. A script in the document's head
// makes it the page's default policy before anything else runs; no other policy can be made after it.

/**
 * Text without a tag is no markup. React starts a script with an empty one, which then runs by its nonce alone. A
 * script or worker comes from the build's own files; `/sw.js` is the service worker. Text is a script where it is JSON, which a page holds for search
 * engines.
 */
export const TRUSTED_TYPES_SCRIPT = `(function(){
if(window.trustedTypes)trustedTypes.createPolicy("default",{
createHTML:function(t){return t.indexOf("<")<0||t==="<scr"+"ipt><\\/scr"+"ipt>"?t:null},
createScript:function(t){try{JSON.parse(t);return t}catch(e){return null}},
createScriptURL:function(u){var a=new URL(u,location.href);return a.origin===location.origin&&(a.pathname.indexOf("/assets/")===0||a.pathname==="/sw.js")?a.href:null}
})})()`;
