# SPDX-License-Identifier: Apache-2.0
import struct,subprocess,os
def run(fmt,bw,bh,bb,blocks,nx,ny,es=False):
    open('p.bin','wb').write(b''.join(blocks))
    subprocess.run(['./decode_gl',fmt,str(bw),str(bh),str(bb),str(nx),str(ny),'p.bin','p.out']+(['es'] if es else []),check=True,stderr=subprocess.DEVNULL,env=dict(os.environ,LIBGL_ALWAYS_SOFTWARE='1'))
    d=open('p.out','rb').read(); W=nx*bw
    px=[struct.unpack_from('<4f',d,i*16) for i in range(len(d)//16)]
    return lambda b,x,y: px[((b//nx)*bh+y)*W+(b%nx)*bw+x]
def pack(fields):
    v=0;n=0
    for val,w in fields: v|=val<<n;n+=w
    assert n==128,n
    return v.to_bytes(16,'little')
def mode1(p): return pack([(2,2),(p,6)]+[(x,6) for x in (0,0,63,63)]+[(x,6) for x in (0,63,0,63)]+[(0,6)]*4+[(0,2),((1<<46)-1,46)])
def mode2(p): return pack([(4,3),(p,6)]+[(x,5) for x in (0,0,15,15,31,31)]+[(x,5) for x in (0,31)*3]+[(0,5)]*6+[((1<<29)-1,29)])
if __name__=='__main__':
    for name,mk,ns in (('two',mode1,2),('three',mode2,3)):
        px=run('8E8C',4,4,16,[mk(p) for p in range(64)],8,8)
        tab=[];anc=[]
        for b in range(64):
            w=0;a={}
            for i in range(16):
                r,g,_,_=px(b,i%4,i//4)
                s=(1 if r>0.5 else 0) if ns==2 else (0 if r<.2 else 1 if r<.7 else 2)
                w|=s<<(2*i)
                if g<0.9: a[s]=i
            tab.append(w);anc.append(a); assert a[0]==0 and len(a)==ns,(b,a)
        print(name); print(', '.join('0x%08X'%t for t in tab))
        for s in range(1,ns): print([a[s] for a in anc])
