// SPDX-License-Identifier: Apache-2.0
// Decodes compressed blocks with the OpenGL implementation: raw blocks in, RGBA float or bytes out.
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc,
         char** argv) {  // ref internalformat_hex bw bh blockbytes nblocks_in_row rows in out
    unsigned fmt = strtoul(argv[1], 0, 16);
    int bw = atoi(argv[2]), bh = atoi(argv[3]), bb = atoi(argv[4]), nx = atoi(argv[5]),
        ny = atoi(argv[6]);
    EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, 0);
    EGLint a, b;
    if (!eglInitialize(d, &a, &b)) {
        puts("no egl");
        return 2;
    }
    int es = argc > 9;
    eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    EGLint ca[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                   es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig c;
    EGLint n;
    eglChooseConfig(d, ca, &c, 1, &n);
    EGLint xa[] = {EGL_CONTEXT_MAJOR_VERSION, es ? 3 : 4, EGL_CONTEXT_MINOR_VERSION, es ? 2 : 3,
                   EGL_NONE};
    EGLContext x = eglCreateContext(d, n ? c : 0, 0, xa);
    if (!x) {
        puts("no context");
        return 2;
    }
    eglMakeCurrent(d, 0, 0, x);
    fprintf(stderr, "%s %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
    int W = nx * bw, H = ny * bh;
    unsigned char* in = malloc(nx * ny * bb);
    FILE* f = fopen(argv[7], "rb");
    if (fread(in, bb, nx * ny, f) != (size_t)(nx * ny)) return 3;
    fclose(f);
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, fmt, W, H, 0, nx * ny * bb, in);
    int e = glGetError();
    if (e) {
        fprintf(stderr, "error %x\n", e);
        return 4;
    }
    const char* hdr = es ? "#version 320 es\nprecision highp float;precision highp sampler2D;\n"
                         : "#version 430\n";
    char vs[1000], fs[1000];
    sprintf(
        vs,
        "%svoid main(){gl_Position=vec4(gl_VertexID==1?3.0:-1.0,gl_VertexID==2?3.0:-1.0,0.0,1.0);}",
        hdr);
    sprintf(
        fs,
        "%suniform sampler2D s; out vec4 o; void main(){o=texelFetch(s,ivec2(gl_FragCoord.xy),0);}",
        hdr);
    const char *vp = vs, *fp = fs;
    GLuint v = glCreateShader(GL_VERTEX_SHADER), fr = glCreateShader(GL_FRAGMENT_SHADER),
           p = glCreateProgram();
    glShaderSource(v, 1, &vp, 0);
    glCompileShader(v);
    glShaderSource(fr, 1, &fp, 0);
    glCompileShader(fr);
    glAttachShader(p, v);
    glAttachShader(p, fr);
    glLinkProgram(p);
    glUseProgram(p);
    GLuint va;
    glGenVertexArrays(1, &va);
    glBindVertexArray(va);
    GLuint fb, rt;
    glGenTextures(1, &rt);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, rt);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, W, H, 0, GL_RGBA, GL_FLOAT, 0);
    glGenFramebuffers(1, &fb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, rt, 0);
    glActiveTexture(GL_TEXTURE0);
    glViewport(0, 0, W, H);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    float* o = malloc(W * H * 16);
    glReadPixels(0, 0, W, H, GL_RGBA, GL_FLOAT, o);
    e = glGetError();
    if (e) {
        fprintf(stderr, "error2 %x\n", e);
        return 5;
    }
    f = fopen(argv[8], "wb");
    fwrite(o, 16, W * H, f);
    fclose(f);
    return 0;
}
